import type { Knex } from 'knex';
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
  /** Changes with the brand's crawler hits and their newest time; 0: never connected. */
  crawlerVersion: number;
  /** Changes with the data of any visible brand, and with the set of visible brands. */
  visibleVersion: string;
}

/** The brands that a key can see, as bindings. Null means all. */
export interface VisibleBrands extends Record<string, unknown> {
  readonly workspaceId: string | null;
  readonly brandIds: readonly string[] | null;
}

const isListed = '(cast(:brandIds as text[]) is null or b.id = any(cast(:brandIds as text[])))';

/**
 * A statement on the visible brands, in two versions: of a workspace, whose brands are found by index, and of all. One
 * version with `:workspaceId is null or …` would read every brand for every key.
 */
const ofVisible = <Row, B extends VisibleBrands>(name: string, sql: (isVisible: string) => string) => {
  const ofAll = statement<Row, B>(`${name}_of_all`, sql(isListed));
  const ofWorkspace = statement<Row, B>(name, sql(`b.workspace_id = :workspaceId and ${isListed}`));
  return (db: Knex, bindings: B): Promise<Row[]> =>
    (bindings.workspaceId === null ? ofAll : ofWorkspace)(db, bindings);
};

/** A hash of the ids and versions of the visible brands. Ids cannot contain the separators. */
const visibleVersion = `(select encode(sha256(convert_to(
    coalesce(string_agg(s.id || '=' || s.data_version, ',' order by s.id), ''), 'UTF8')), 'hex') from visible s)`;

const crawlerVersion =
  'coalesce((select c.data_version from crawler_connections c where c.brand_key = b.brand_key), 0)::bigint';

/**
 * The visible brand with this id, and the oldest visible brand. Both are picked from the visible brands, which are
 * materialised first, so that a foreign id reads the same rows as a nonexistent one.
 */
export const brandAndDefault = ofVisible<
  BrandRow & { requested: boolean },
  VisibleBrands & { brandId: string | null }
>(
  'brand_and_default',
  (isVisible) => `with visible as materialized (
     select b.brand_key, b.id, b.name, b.domain, b.created_at, b.archived_at, b.workspace_id, b.data_version
     from brands b where ${isVisible}
   ),
   picked as (
     (select s.*, true as requested from visible s where s.id = :brandId)
     union all
     (select s.*, false as requested from visible s order by s.created_at nulls last, s.id limit 1)
   )
   select b.requested, b.brand_key as key, b.id, b.name, b.domain, b.archived_at is not null as archived,
     b.workspace_id as "workspaceId", w.plan, b.data_version as "dataVersion",
     ${crawlerVersion} as "crawlerVersion",
     exists (select 1 from runs r where r.brand_key = b.brand_key) as "hasRuns", ${visibleVersion} as "visibleVersion"
   from picked b join workspaces w on w.id = b.workspace_id`,
);

/** The versions of a brand's data; no row: the database does not have the brand. */
export const brandVersions = statement<
  Pick<BrandRow, 'dataVersion' | 'crawlerVersion'>,
  { brandKey: number }
>(
  'brand_versions',
  `select b.data_version as "dataVersion", ${crawlerVersion} as "crawlerVersion"
   from brands b where b.brand_key = :brandKey`,
);

/** The version of the visible brands. Always one row. */
export const versionOfVisible = ofVisible<Pick<BrandRow, 'visibleVersion'>, VisibleBrands>(
  'version_of_visible',
  (isVisible) => `with visible as materialized (select b.id, b.data_version from brands b where ${isVisible})
   select ${visibleVersion} as "visibleVersion"`,
);

type ListedBrand = Pick<BrandRow, 'id' | 'name' | 'domain' | 'archived'>;

/** Visible brands, oldest first. */
export const brandsByAge = ofVisible<ListedBrand, VisibleBrands>(
  'brands_by_age',
  (
    isVisible,
  ) => `select b.id, b.name, b.domain, b.archived_at is not null as archived from brands b where ${isVisible}
   order by b.created_at nulls last, b.id`,
);

/** Visible brands by id, after a given one. */
export const brandsById = ofVisible<ListedBrand, VisibleBrands & { after: string | null; rows: number }>(
  'brands_by_id',
  (
    isVisible,
  ) => `select b.id, b.name, b.domain, b.archived_at is not null as archived from brands b where ${isVisible}
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
 * Stops collection for a brand from now on, or from its newest run if that is later. An archived brand keeps its date.
 * Returns no row if the brand does not exist.
 */
export const archiveBrand = statement<{ id: string; archivedAt: Date }, { id: string; now: Date }>(
  'archive_brand',
  `update brands b set data_version = data_version + 1,
     archived_at = coalesce(archived_at, greatest(cast(:now as timestamptz), (
       select max(r.collected_at) from runs r where r.brand_key = b.brand_key
         and r.day >= (cast(:now as timestamptz) at time zone 'UTC')::date)))
   where id = :id returning id, archived_at as "archivedAt"`,
);
