/**
 * The planner's statistics after an import. The embedded database has nothing that updates them by itself, and a server
 * does so after a minute or later; until then it takes a new brand for a single row.
 */
import type { Knex } from 'knex';

/** As autovacuum: tables with fewer changes than this, plus a share of their rows, are not worth it. */
const FEWEST_CHANGES = 50;
const SHARE_OF_CHANGES = 0.05;

/** By how many rows tables grew, by name. A connection counts earlier transactions too, until it reports its counts. */
export type Growth = ReadonlyMap<string, number>;

interface Counted {
  readonly name: string;
  readonly growth: number;
  /** Rows according to the statistics; -1: the table was never analysed. */
  readonly known: number;
}

async function counted(trx: Knex.Transaction): Promise<Counted[]> {
  const { rows } = await trx.raw(
    `select s.relname as name, s.n_tup_ins - s.n_tup_del as growth, c.reltuples as known
     from pg_stat_xact_user_tables s join pg_class c on c.oid = s.relid
     where c.relpersistence = 'p' order by s.relname`,
  );
  return rows;
}

/** What the connection has counted when the transaction begins. */
export const growthSoFar = async (trx: Knex.Transaction): Promise<Growth> =>
  new Map((await counted(trx)).map(({ name, growth }) => [name, growth]));

/** The tables that the transaction made so much larger or smaller that their statistics are out of date. */
export async function outdatedTables(trx: Knex.Transaction, before: Growth): Promise<string[]> {
  const tables = await counted(trx);
  return tables
    .filter(({ name, growth, known }) => {
      const changed = Math.abs(growth - (before.get(name) ?? 0));
      return changed > FEWEST_CHANGES + SHARE_OF_CHANGES * Math.max(known, 0);
    })
    .map(({ name }) => name);
}

/**
 * Updates the statistics of tables, after the transaction: it would hold their locks. A failure does not fail the import,
 * which is stored; the server's autovacuum makes up for it.
 */
export async function analyzeTables(db: Knex, tables: readonly string[]): Promise<void> {
  for (const table of tables) await db.raw(`analyze ${table}`).catch(() => undefined);
}
