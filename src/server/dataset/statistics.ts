/**
 * The planner's statistics after an import. The embedded database has nothing that updates them by itself, and a server
 * does so after a minute or later; until then it takes a new brand for a single row.
 */
import type { Knex } from 'knex';

/** As autovacuum: tables with fewer changes than this, plus a share of their rows, are not worth it. */
const FEWEST_CHANGES = 50;
const SHARE_OF_CHANGES = 0.05;

/** The tables that the transaction made so much larger or smaller that their statistics are out of date. */
export async function outdatedTables(trx: Knex.Transaction): Promise<string[]> {
  const { rows } = await trx.raw(
    `select s.relname as name from pg_stat_xact_user_tables s join pg_class c on c.oid = s.relid
     where c.relpersistence = 'p'
       and abs(s.n_tup_ins - s.n_tup_del) > :fewest + :share * greatest(c.reltuples, 0)
     order by s.relname`,
    { fewest: FEWEST_CHANGES, share: SHARE_OF_CHANGES },
  );
  return rows.map(({ name }: { name: string }) => name);
}

/**
 * Updates the statistics of tables, after the transaction: it would hold their locks. A failure is not one of the import,
 * which is stored; the server's autovacuum makes up for it.
 */
export async function analyzeTables(db: Knex, tables: readonly string[]): Promise<void> {
  for (const table of tables) await db.raw(`analyze ${table}`).catch(() => undefined);
}
