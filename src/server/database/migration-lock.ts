/** Serialises changes of the schema. */
import type { Knex } from 'knex';

/** An arbitrary constant. The process that holds the lock migrates; the others wait and then find nothing to do. */
const MIGRATION_LOCK = 7_382_461;

export async function lockMigrations(trx: Knex.Transaction): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
}
