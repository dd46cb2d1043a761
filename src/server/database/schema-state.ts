/** Checks that the database has the schema of this version. */
import type { Knex } from 'knex';
import { migrationSource } from '../migrations/index.js';

/** The schema is not that of this version. The message states what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** @throws SchemaError with what to do, if the schema is missing, older or newer. */
export async function requireSchema(db: Knex): Promise<void> {
  const { applied, pending } = await schemaState(db);
  if (pending.length === 0) return;
  throw new SchemaError(
    applied.length === 0
      ? 'The database is empty. Run `svc admin migrate` (or start `svc serve`) first.'
      : 'The database has an older schema. Run `svc admin migrate` (or start `svc serve`) first.',
  );
}

/** @throws SchemaError if a newer version migrated the database, which this version would misread. */
export async function requireNoNewerSchema(db: Knex): Promise<void> {
  await schemaState(db);
}

function refuseNewer(applied: readonly string[], known: readonly string[]): void {
  const newer = applied.filter((name) => !known.includes(name));
  if (newer.length > 0)
    throw new SchemaError(`The database was migrated by a newer svc (${newer.join(', ')}).`);
}

/** The migrations of a database. */
export interface SchemaState {
  /** Names of the migrations that were applied. */
  readonly applied: readonly string[];
  /** Names of the migrations of this version that were not applied. */
  readonly pending: readonly string[];
}

/** @throws SchemaError if a newer version migrated the database. */
export async function schemaState(db: Knex): Promise<SchemaState> {
  const known = (await migrationSource.getMigrations([])) as string[];
  const applied = await appliedMigrations(db);
  refuseNewer(applied, known);
  return { applied, pending: known.filter((name) => !applied.includes(name)) };
}

async function appliedMigrations(db: Knex): Promise<string[]> {
  const { rows: tables } = await db.raw("select to_regclass('knex_migrations') is not null as there");
  if (!tables[0].there) return [];
  const { rows } = await db.raw('select name from knex_migrations');
  return rows.map((row: { name: string }) => row.name);
}
