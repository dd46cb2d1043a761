/**
 * Looks up stored rows by key, one index probe for each. The planner cannot choose another plan: it has no statistics of
 * rows that the transaction wrote, takes a new brand for one row, and would prefer any index that begins with
 * `brand_key`, and filter. So a lateral sub-query asks for the rows from a key to the same key, in the order of the key:
 * while sorting is disabled, only the index on that key has the order. An equality would make the order redundant.
 */
import type { Knex } from 'knex';

/** Disables sorting for the transaction, as the look-ups require. */
export async function allowOnlyProbes(trx: Knex.Transaction): Promise<void> {
  await trx.raw('set local enable_sort = off; set local enable_incremental_sort = off');
}

/** The rows of `table` whose `key` is `value`, as a sub-query for `cross join lateral`. */
export const probe = (table: string, columns: string, key: string, value: string): string => `(
  select ${columns} from ${table}
  where brand_key = :brandKey and ${key} >= ${value} and ${key} <= ${value} order by ${key} limit 1
)`;

/** The tables of runs: of those with an answer, and of those without one. */
export const RUN_TABLES = ['runs', 'unshown_runs'] as const;
export type RunTable = (typeof RUN_TABLES)[number];

/** A run is in one of the tables. */
export const STORED_RUNS = RUN_TABLES.map(
  (table) => `
  select r.id, r.day, '${table}' as stored from unnest(cast(:ids as text[])) as s(id)
  cross join lateral ${probe(table, 'id, day', 'id', 's.id collate "C"')} r`,
).join(' union all ');

/** Entries of a dictionary with these hashes. */
export const storedEntries = (table: string, key: string): string => `
  select encode(d.hash, 'hex') as hex, d.key from unnest(cast(:hashes as bytea[])) as s(hash)
  cross join lateral ${probe(table, `hash, ${key} as key`, 'hash', 's.hash')} d`;
