/**
 * Looks up stored rows by key, one index probe for each. The planner cannot choose another plan: it knows nothing about
 * rows that the transaction wrote, takes a new brand for one row, and would prefer any index that begins with
 * `brand_key`, and filter. So a lateral sub-query asks for the first row from the key on, in the order of the key. While
 * sorting is disabled, only the index on that key has the order.
 */
import type { Knex } from 'knex';

/** Disables sorting for the transaction, as the look-ups require. */
export async function allowOnlyProbes(trx: Knex.Transaction): Promise<void> {
  await trx.raw('set local enable_sort = off; set local enable_incremental_sort = off');
}

/** Stored runs with these ids. */
export const STORED_RUNS = `
  select r.id, r.day
  from unnest(cast(:ids as text[])) as s(id)
  cross join lateral (
    select id, day from runs where brand_key = :brandKey and id >= s.id collate "C" order by id limit 1
  ) r
  where r.id = s.id collate "C"`;
