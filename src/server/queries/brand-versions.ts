/** What is stored with the data of a brand: in a distributed database on the same node, so that it changes with the data. */
import { statement } from './statement.js';

export interface BrandState {
  /** Changes with the brand's data. */
  storedVersion: number;
  /** Changes with the brand's crawler hits and their newest time; 0: never connected. */
  crawlerVersion: number;
  /** Whether the brand ever had runs. */
  hasRuns: boolean;
}

/** The state of a brand, in one snapshot. Always one row, also for a key that no brand has. */
export const brandState = statement<BrandState, { brandKey: number }>(
  'brand_state',
  `select
     coalesce((select data_version from brand_versions where brand_key = :brandKey), 0)::bigint as "storedVersion",
     coalesce((select data_version from crawler_connections where brand_key = :brandKey), 0)::bigint
       as "crawlerVersion",
     coalesce((select collected from brand_versions where brand_key = :brandKey), false) as "hasRuns"`,
);

/** Notes that the brand's data changed. Belongs at the end of the transaction that changes it. */
export const bumpStoredVersion = statement<never, { brandKey: number }>(
  'bump_stored_version',
  `insert into brand_versions as v (brand_key, data_version, collected)
   select cast(:brandKey as integer), 1, exists (select 1 from runs where brand_key = :brandKey)
   on conflict (brand_key) do update set data_version = v.data_version + 1,
     collected = v.collected or excluded.collected`,
);
