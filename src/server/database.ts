/** Opens the database: a Postgres server by URL, or Postgres embedded in this process (PGlite) in a folder. */
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { lockFolder } from './data-folder.js';
import { migrationSource } from './migrations/index.js';
import { requireNoNewerSchema } from './schema-state.js';

export interface Database {
  readonly knex: Knex;
  /** Embedded: one process, one connection. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** Where the database is: exactly one of the two. An undefined folder is an in-memory embedded database. */
export type DatabaseLocation = { readonly url: string } | { readonly folder: string | undefined };

const asNumber = (value: string): number => Number(value);
const asIs = (value: string): string => value;
const arrayOf = (parse: (value: string) => unknown) => (value: string) =>
  value === '{}' ? [] : value.slice(1, -1).split(',').map(parse);

/** Type ids whose default parsing does not suit us: counts as numbers, dates as YYYY-MM-DD. */
const parsers = new Map<number, (value: string) => unknown>([
  [20, asNumber],
  [1700, asNumber],
  [1082, asIs],
  [1016, arrayOf(asNumber)],
  [1182, arrayOf(asIs)],
]);
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) || pg.types.getTypeParser(id, format as 'text'),
};

const ACQUIRE_TIMEOUT_MS = 5000;

/** knex would print to standard output what it throws anyway. */
const nothing = (): void => {};
const silentLog = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing };

/**
 * Opens and returns the database; it is not migrated yet.
 * @throws FolderInUseError when another process has the embedded folder open.
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  return 'url' in location ? openServer(location.url) : openEmbedded(location.folder);
}

function openServer(url: string): Database {
  const db = knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'svc',
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      connectionTimeoutMillis: 4000,
      keepAlive: true,
      types,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: availableParallelism() * 2 + 2, afterCreate: prepareSession },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    log: silentLog,
  });
  return { knex: db, embedded: false, close: () => db.destroy() };
}

async function openEmbedded(folder: string | undefined): Promise<Database> {
  if (folder) await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = folder ? await lockFolder(folder) : undefined;
  try {
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = await PGlite.create(folder ? `${folder}/postgres` : 'memory://');
    const db = knex({
      client: 'pg',
      connection: { ...createPgConfig(pglite as never), types } as unknown as Knex.PgConnectionConfig,
      pool: { min: 1, max: 1, afterCreate: prepareSession },
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      log: silentLog,
    });
    const close = async () => {
      await db.destroy();
      await pglite.close();
      await lock?.release();
    };
    return { knex: db, embedded: true, close };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

type Done = (error: Error | null, connection: pg.Client) => void;

/** UTC, and no just-in-time compilation: it costs more than any of our queries. */
function prepareSession(connection: pg.Client, done: Done): void {
  connection.query("set time zone 'UTC'; set jit = off").then(
    () => done(null, connection),
    (error: Error) => done(error, connection),
  );
}

/** An arbitrary constant: who holds it migrates, the others wait and then find nothing left to do. */
const MIGRATION_LOCK = 7_382_461;

/**
 * Brings the schema up to date, once however many processes start together. Returns the migrations applied.
 * @throws SchemaError when a newer version migrated it.
 */
export async function migrate(db: Knex): Promise<string[]> {
  return db.transaction(async (trx) => {
    await trx.raw('set local statement_timeout = 0');
    await trx.raw('set local lock_timeout = 0');
    await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    await requireNoNewerSchema(trx);
    const [, applied] = await trx.migrate.latest({ migrationSource });
    return applied as string[];
  });
}
