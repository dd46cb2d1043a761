/**
 * Temporary tables that records are copied into before they are merged with what is stored. `incoming_records` and
 * `incoming_runs` hold one batch; the others collect rows of the whole file.
 */
import type { Knex } from 'knex';

/** Tables of the children of a run, by its day. Their rows are merged at the end of the file. */
export const CHILD_TABLES = ['carousels', 'placements', 'ads'] as const;
export type ChildTable = (typeof CHILD_TABLES)[number];

/** Creates the temporary tables of every import, which the end of the transaction drops. */
export async function createStagingTables(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`
    create temporary table incoming_records (record json not null) on commit drop;
    create temporary table incoming_runs (like runs, answer text) on commit drop;
    create temporary table replaced_runs (
      brand_key integer not null, id text collate "C" not null, day date not null, answered boolean not null
    ) on commit drop`);
}

/** Creates the temporary table of these children, when the file has the first of them. */
export const createChildTable = (trx: Knex.Transaction, table: ChildTable): Promise<void> =>
  trx.raw(`create temporary table incoming_${table} (like ${table}) on commit drop`);
