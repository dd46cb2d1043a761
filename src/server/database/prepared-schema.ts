/**
 * The schema of a prepared cluster. Its migrations are noted under another name until a command migrates the database, so
 * that a new data folder is an empty database to all other commands, as a new database of a server is.
 */
import type { Knex } from 'knex';

const PREPARED = 'prepared_migrations';
const APPLIED = 'knex_migrations';

/** Turns a migrated database into a prepared one. */
export async function prepareSchema(db: Knex): Promise<void> {
  await db.raw(`alter table ${APPLIED} rename to ${PREPARED}`);
}

/** Takes over the schema of a prepared database, and returns the names of its migrations; none for any other database. */
export async function adoptPreparedSchema(trx: Knex.Transaction): Promise<string[]> {
  const { rows } = await trx.raw(`select to_regclass('${PREPARED}') is not null as there`);
  if (!rows[0].there) return [];
  await trx.raw(`alter table ${PREPARED} rename to ${APPLIED}`);
  const applied = await trx.raw(`select name from ${APPLIED} order by id`);
  return applied.rows.map(({ name }: { name: string }) => name);
}
