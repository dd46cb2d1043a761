import { statement } from './statement.js';

export interface BrandRow {
  key: number;
  id: string;
  name: string;
  domain: string;
  archived: boolean;
  workspaceId: string;
  plan: string;
  hasRuns: boolean;
  dataVersion: number;
  /** Moves with every change to the brand's crawler hits or their newest time; 0: never connected. */
  crawlerVersion: number;
  /** Another with every change to any brand in scope, and to which brands these are. */
  scopeVersion: string;
}

/** Which brands a key sees: null stands for "all". */
interface ScopeBindings extends Record<string, unknown> {
  workspaceId: string | null;
  brandIds: readonly string[] | null;
}

const inScope = `(cast(:workspaceId as text) is null or b.workspace_id = :workspaceId)
  and (cast(:brandIds as text[]) is null or b.id = any(cast(:brandIds as text[])))`;

/** Equal for equal lists of brands and versions alone. Ids hold neither of the separators. */
const scopeVersion = `(select encode(sha256(convert_to(
    coalesce(string_agg(s.id || '=' || s.data_version, ',' order by s.id), ''), 'UTF8')), 'hex') from scope s)`;

/**
 * The brand in scope with this id, and the oldest brand in scope. Both are picked out of the brands in scope, which are
 * gathered before the id is looked at: the same rows are read for a foreign id as for one that nobody has.
 */
export const brandAndDefault = statement<
  BrandRow & { asked: boolean },
  ScopeBindings & { brandId: string | null }
>(
  'brand_and_default',
  `with scope as materialized (
     select b.brand_key, b.id, b.name, b.domain, b.created_at, b.archived_at, b.workspace_id, b.data_version
     from brands b where ${inScope}
   ),
   picked as (
     (select s.*, true as asked from scope s where s.id = :brandId)
     union all
     (select s.*, false as asked from scope s order by s.created_at nulls last, s.id limit 1)
   )
   select b.asked, b.brand_key as key, b.id, b.name, b.domain, b.archived_at is not null as archived,
     b.workspace_id as "workspaceId", w.plan, b.data_version as "dataVersion",
     coalesce((select c.data_version from crawler_connections c where c.brand_key = b.brand_key), 0)::bigint
       as "crawlerVersion",
     exists (select 1 from runs r where r.brand_key = b.brand_key) as "hasRuns", ${scopeVersion} as "scopeVersion"
   from picked b join workspaces w on w.id = b.workspace_id`,
);

type ListedBrand = Pick<BrandRow, 'id' | 'name' | 'domain' | 'archived'>;

/** Brands in scope, oldest first. */
export const brandsByAge = statement<ListedBrand, ScopeBindings>(
  'brands_by_age',
  `select b.id, b.name, b.domain, b.archived_at is not null as archived from brands b where ${inScope}
   order by b.created_at nulls last, b.id`,
);

/** Brands in scope by id, after a given one. */
export const brandsById = statement<ListedBrand, ScopeBindings & { after: string | null; rows: number }>(
  'brands_by_id',
  `select b.id, b.name, b.domain, b.archived_at is not null as archived from brands b where ${inScope}
     and (cast(:after as text) is null or b.id > :after)
   order by b.id limit :rows`,
);

/** Every brand, by workspace and age. */
export const listBrands = statement<
  ListedBrand & { workspace: string; archived_at: Date | null; collected: boolean },
  Record<string, never>
>(
  'list_brands',
  `select b.workspace_id as workspace, b.id, b.name, b.domain, b.archived_at is not null as archived, b.archived_at,
     exists (select 1 from runs r where r.brand_key = b.brand_key) as collected
   from brands b order by b.workspace_id, b.created_at nulls last, b.id`,
);

/**
 * Stops collection for a brand from now on, or from its newest run where that is dated later; an archived brand keeps its date.
 * No row: there is no such brand.
 */
export const archiveBrand = statement<{ id: string; archivedAt: Date }, { id: string; now: Date }>(
  'archive_brand',
  `update brands b set data_version = data_version + 1,
     archived_at = coalesce(archived_at, greatest(cast(:now as timestamptz), (
       select max(r.collected_at) from runs r where r.brand_key = b.brand_key
         and r.day >= (cast(:now as timestamptz) at time zone 'UTC')::date)))
   where id = :id returning id, archived_at as "archivedAt"`,
);
