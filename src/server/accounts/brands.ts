/** What is stored with the data of a brand: in a distributed database on the same node, so that it changes with the data. */

import type { Knex } from 'knex';
import type { Plan } from '../../contract/keys.js';
import { utcDay } from '../base/days.js';
import { type Db, statement } from '../base/statement.js';

export interface BrandState {
  /** Changes with the brand's data. */
  storedVersion: number;
  /** Changes with the brand's crawler hits and their newest time; 0: never connected. */
  crawlerVersion: number;
  hasRuns: boolean;
  /** The day before which answers were not searched for every name that is tracked now; null: all were. */
  namesSince: string | null;
  /** Whether its stored answers are being searched for names. */
  isSearched: boolean;
}

/** The state of a brand, in one snapshot. Always one row, also for a key that no brand has. */
export const brandState = statement<BrandState, { brandKey: number }>(
  'brand_state',
  `select
     coalesce((select data_version from brand_versions where brand_key = :brandKey), 0)::bigint as "storedVersion",
     coalesce((select data_version from crawler_connections where brand_key = :brandKey), 0)::bigint
       as "crawlerVersion",
     coalesce((select collected from brand_versions where brand_key = :brandKey), false) as "hasRuns",
     (select names_since from brand_versions where brand_key = :brandKey) as "namesSince",
     exists (select 1 from brand_versions where brand_key = :brandKey and search_day is not null) as "isSearched"`,
);

/** Notes that the brand's data changed. Belongs at the end of the transaction that changes it. */
export const bumpStoredVersion = statement<never, { brandKey: number }>(
  'bump_stored_version',
  `insert into brand_versions as v (brand_key, data_version, collected)
   select cast(:brandKey as integer), 1, exists (select 1 from runs where brand_key = :brandKey)
   on conflict (brand_key) do update set data_version = v.data_version + 1,
     collected = v.collected or excluded.collected`,
);

export interface BrandRow extends BrandState {
  key: number;
  id: string;
  name: string;
  domain: string;
  archived: boolean;
  workspaceId: string;
  plan: string;
  /** Changes with the brand's data and with its row and its workspace. */
  dataVersion: number;
  /** Changes with the data and the counted needs of any visible brand, and with the set of visible brands. */
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
  return (db: Db, bindings: B): Promise<Row[]> =>
    (bindings.workspaceId === null ? ofAll : ofWorkspace)(db, bindings);
};

/** A hash of the ids, versions and counted needs of the visible brands. Ids cannot contain the separators. */
const visibleVersion = `(select encode(sha256(convert_to(
    coalesce(string_agg(s.id || '=' || s.data_version || coalesce('/' || s.needs, ''), ',' order by s.id), ''),
    'UTF8')), 'hex') from visible s)`;

/**
 * The visible brand with this id, and the oldest visible brand. Both are picked from the visible brands, which are
 * materialised first, so that a foreign id reads the same rows as a nonexistent one.
 */
export const brandAndDefault = ofVisible<
  Omit<BrandRow, keyof BrandState> & { requested: boolean },
  VisibleBrands & { brandId: string | null }
>(
  'brand_and_default',
  (isVisible) => `with visible as materialized (
     select b.brand_key, b.id, b.name, b.domain, b.created_at, b.archived_at, b.workspace_id, b.data_version,
       b.needs
     from brands b where ${isVisible}
   ),
   picked as (
     (select s.*, true as requested from visible s where s.id = :brandId)
     union all
     (select s.*, false as requested from visible s order by s.created_at nulls last, s.id limit 1)
   )
   select b.requested, b.brand_key as key, b.id, b.name, b.domain, b.archived_at is not null as archived,
     b.workspace_id as "workspaceId", w.plan, b.data_version as "dataVersion",
     ${visibleVersion} as "visibleVersion"
   from picked b join workspaces w on w.id = b.workspace_id`,
);

/** The version of a brand; no row: the database does not have the brand. */
export const versionOfBrand = statement<Pick<BrandRow, 'dataVersion'>, { brandKey: number }>(
  'version_of_brand',
  'select data_version as "dataVersion" from brands where brand_key = :brandKey',
);

type BrandVersion = Pick<BrandRow, 'key' | 'dataVersion' | 'storedVersion'>;

/**
 * Moves with every import and every other change of the brand's data. It names both versions, because a distributed
 * database may show one of them before the other.
 */
export const dataVersion = ({ brand }: { readonly brand: BrandVersion }): string =>
  `${brand.key} ${brand.dataVersion} ${brand.storedVersion}`;

/** Whether a database has at least the versions of the brand's data that the directory returned. */
export async function hasDataVersion({
  db,
  brand,
}: {
  readonly db: Db;
  readonly brand: BrandVersion;
}): Promise<boolean> {
  const [row] = await versionOfBrand(db, { brandKey: brand.key });
  const [state] = await brandState(db, { brandKey: brand.key });
  return (
    row !== undefined && row.dataVersion >= brand.dataVersion && state!.storedVersion >= brand.storedVersion
  );
}

/** The version of the visible brands. Always one row. */
export const versionOfVisible = ofVisible<Pick<BrandRow, 'visibleVersion'>, VisibleBrands>(
  'version_of_visible',
  (isVisible) => `with visible as materialized (
     select b.id, b.data_version, b.needs from brands b where ${isVisible}
   )
   select ${visibleVersion} as "visibleVersion"`,
);

export interface ListedBrand extends Pick<BrandRow, 'key' | 'id' | 'name' | 'domain' | 'archived'> {
  readonly archivedAt: Date | null;
  readonly workspaceName: string;
  /** Needs of its briefing, as last counted; null: not counted. */
  readonly needs: number | null;
}

const LISTED = `b.brand_key as key, b.id, b.name, b.domain, b.archived_at is not null as archived,
     b.archived_at as "archivedAt", b.needs, (select w.name from workspaces w where w.id = b.workspace_id) as "workspaceName"`;

export const brandsByAge = ofVisible<ListedBrand, VisibleBrands>(
  'brands_by_age',
  (isVisible) => `select ${LISTED} from brands b where ${isVisible}
   order by b.created_at nulls last, b.id`,
);

export const brandsById = ofVisible<ListedBrand, VisibleBrands & { after: string | null; rows: number }>(
  'brands_by_id',
  (isVisible) => `select ${LISTED} from brands b where ${isVisible}
     and (cast(:after as text) is null or b.id > :after)
   order by b.id limit :rows`,
);

/** Every brand, by workspace and age. */
export const listBrands = statement<
  Omit<ListedBrand, 'key' | 'archivedAt' | 'needs'> & {
    workspace: string;
    archived_at: Date | null;
    collected: boolean;
    /** The day before which answers were not searched for all names; null: all were. */
    names_since: string | null;
    /** The first day whose answers are searched so far; null: no search is under way. */
    searched_since: string | null;
  },
  Record<string, never>
>(
  'list_brands',
  `select b.workspace_id as workspace, b.id, b.name, b.domain, b.archived_at is not null as archived, b.archived_at,
     coalesce(v.collected, false) as collected, v.names_since, v.search_day as searched_since
   from brands b left join brand_versions v on v.brand_key = b.brand_key order by b.workspace_id, b.created_at nulls last, b.id`,
);

/** Notes that something changed that all reads of the brand may have, so that no cache keeps it. */
export const bumpVersion = statement<never, { brandKey: number }>(
  'bump_data_version',
  'update brands set data_version = data_version + 1 where brand_key = :brandKey',
);

interface CountedBrand {
  key: number;
  id: string;
  workspaceId: string;
  plan: Plan;
  /** Of which day and data its needs are to be counted. */
  state: string;
}

/** Brands whose needs were not counted today of the data that they have, the longest waiting first. */
export const brandsToCount = statement<CountedBrand, { today: string; rows: number }>(
  'brands_to_count',
  `select key, id, workspace_id as "workspaceId", plan, state
   from (
     select b.brand_key as key, b.id, b.workspace_id, b.needs_of, w.plan,
       cast(:today as text) || ' ' || b.data_version as state
     from brands b join workspaces w on w.id = b.workspace_id where b.archived_at is null
   ) s
   where needs_of is distinct from state order by needs_of nulls first, key limit :rows`,
);

/** Keeps how many needs a brand has; null: that is not known. */
export const keepNeeds = statement<never, { brandKey: number; needs: number | null; state: string }>(
  'keep_needs',
  'update brands set needs = :needs, needs_of = :state where brand_key = :brandKey',
);

/** The brand with this id, locked against other changes of its row. */
export const holdBrand = statement<{ brandKey: number }, { id: string }>(
  'hold_brand',
  'select brand_key as "brandKey" from brands where id = :id for no key update',
);

/** When the newest run from a day on was collected; null: there is none. */
export const newestRunSince = statement<{ newest: Date | null }, { brandKey: number; day: string }>(
  'newest_run_since',
  'select max(collected_at) as newest from runs where brand_key = :brandKey and day >= :day',
);

/** Sets the end of collection. An archived brand keeps its date. */
export const setArchived = statement<{ id: string; archivedAt: Date }, { brandKey: number; end: Date }>(
  'set_archived',
  `update brands set data_version = data_version + 1, archived_at = coalesce(archived_at, :end)
   where brand_key = :brandKey returning id, archived_at as "archivedAt"`,
);

/**
 * Stops collection for a brand from now on, or from its newest run if that is later. An archived brand keeps its date.
 * Returns undefined if the brand does not exist.
 */
export const archiveBrand = (
  db: Knex,
  id: string,
  now: Date,
): Promise<{ id: string; archivedAt: Date } | undefined> =>
  db.transaction(async (trx) => {
    const [brand] = await holdBrand(trx, { id });
    if (!brand) return undefined;
    const { brandKey } = brand;
    const [run] = await newestRunSince(trx, { brandKey, day: utcDay(now) });
    const newest = run?.newest ?? now;
    const [archived] = await setArchived(trx, { brandKey, end: newest > now ? newest : now });
    return archived;
  });
