/** Checks that the database has the schema of this version. */

import type { Knex } from 'knex';
import { ExpectedError } from '../../contract/failure.js';
import { FIRST_MIGRATION, migrationSource } from './migrations/index.js';

// Serialises changes of the schema.

/** An arbitrary constant. The process that holds the lock migrates; the others wait and then find nothing to do. */
const MIGRATION_LOCK = 7_382_461;

export async function lockMigrations(trx: Knex.Transaction): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
}

// The schema of a prepared cluster. Its migrations are noted under another name until a command migrates the database,
// so that a new data folder is an empty database to all other commands, as a new database of a server is.

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

/** The schema is not that of this version. The message states what to do. */
export class SchemaError extends ExpectedError {
  constructor(message: string) {
    super('unexpected', message);
  }
}

export const emptyDatabase = (): SchemaError =>
  new SchemaError(
    'The database is empty. Run `svc admin migrate` first; `svc admin apply` and `svc admin import` begin with data and migrate by themselves.',
  );

/** @throws SchemaError with what to do, if the schema is missing, older or newer. */
export async function requireSchema(db: Knex): Promise<void> {
  const { applied, pending } = await schemaState(db);
  if (pending.length === 0) return;
  if (applied.length === 0) throw emptyDatabase();
  throw new SchemaError(
    'The database has an older schema. Run `svc admin migrate` (or start `svc serve`) first.',
  );
}

/** @throws SchemaError for a schema that this version would misread: of a newer version, or from before the first one. */
export async function requireNoNewerSchema(db: Knex, source = migrationSource): Promise<void> {
  await schemaState(db, source);
}

function refuseOthers(applied: readonly string[], known: readonly string[]): void {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.some((name) => name.startsWith(FIRST_MIGRATION)))
    throw new SchemaError(
      'The database has a schema from before the first published version. Export it by `svc admin export` of the version that wrote it, and import the file into a new database.',
    );
  if (unknown.length > 0)
    throw new SchemaError(
      `The database has migrations that this svc does not know (${unknown.join(', ')}): a newer version made them, or one that was built from other sources. Use that svc, or another database.`,
    );
}

/** The migrations of a database. */
export interface SchemaState {
  /** Names of the migrations that were applied. */
  readonly applied: readonly string[];
  /** Names of the migrations of this version that were not applied. */
  readonly pending: readonly string[];
}

/** @throws SchemaError for a schema of a newer version, or from before the first published one. */
export async function schemaState(db: Knex, source = migrationSource): Promise<SchemaState> {
  const known = (await source.getMigrations([])) as string[];
  const applied = await appliedMigrations(db);
  refuseOthers(applied, known);
  return { applied, pending: known.filter((name) => !applied.includes(name)) };
}

async function appliedMigrations(db: Knex): Promise<string[]> {
  const { rows: tables } = await db.raw("select to_regclass('knex_migrations') is not null as there");
  if (!tables[0].there) return [];
  const { rows } = await db.raw('select name from knex_migrations');
  return rows.map((row: { name: string }) => row.name);
}
