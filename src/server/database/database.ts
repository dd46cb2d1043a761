/** Opens the database: a Postgres server by URL, or Postgres embedded in this process (PGlite) in a folder. */
import { availableParallelism } from 'node:os';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { migrationSource } from '../migrations/index.js';
import { columnTypes } from './column-types.js';
import { noteEmbedded } from './copy.js';
import { embeddedFailure, lockFolder, makeFolder } from './data-folder.js';
import { requireNoNewerSchema } from './schema-state.js';
import { endWhenSilent, liftTimeLimits, SERVER_LIMITS, SILENCE_MS } from './time-limits.js';
import { yieldingPglite } from './yielding.js';

export interface Database {
  readonly knex: Knex;
  /** Embedded: one process, one connection. */
  readonly embedded: boolean;
  /** Runs a trivial query. For a server it uses a separate connection, so that it does not wait for the pool. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The location of the database. An undefined folder means an embedded database in memory. */
export type DatabaseLocation = { readonly url: string } | { readonly folder: string | undefined };

const ACQUIRE_TIMEOUT_MS = 5000;

/** Silences knex, which otherwise prints errors to standard output besides throwing them. */
const nothing = (): void => {};
const silentLog = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing };

/**
 * Opens the database without migrating it.
 * @throws FolderInUseError if another process uses the embedded folder.
 */
export async function openDatabase(
  location: DatabaseLocation,
  { silenceMs = SILENCE_MS }: { readonly silenceMs?: number } = {},
): Promise<Database> {
  return 'url' in location ? openServer(location.url, silenceMs) : openEmbedded(location.folder);
}

/** How long a ping of a server may take. */
const PING_MS = 5000;

function openServer(url: string, silenceMs: number): Database {
  const db = serverPool(url, availableParallelism() * 2 + 2, silenceMs);
  const probe = serverPool(url, 1, Math.min(PING_MS, silenceMs));
  return {
    knex: db,
    embedded: false,
    ping: async () => {
      await probe.raw('select 1');
    },
    close: async () => {
      await Promise.all([db.destroy(), probe.destroy()]);
    },
  };
}

/** @param silenceMs A connection that waits this long for a response is closed. */
function serverPool(url: string, connections: number, silenceMs: number): Knex {
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'svc',
      ...SERVER_LIMITS,
      connectionTimeoutMillis: 4000,
      keepAlive: true,
      types: columnTypes,
    } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: connections,
      afterCreate: (connection: pg.Client, done: Done) => {
        endWhenSilent(connection, silenceMs);
        prepareSession(connection, done);
      },
    },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    log: silentLog,
  });
}

async function openEmbedded(folder: string | undefined): Promise<Database> {
  if (folder) await makeFolder(folder);
  const lock = folder ? await lockFolder(folder) : undefined;
  try {
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = await PGlite.create(folder ? `${folder}/postgres` : 'memory://').catch((error) => {
      throw embeddedFailure(folder ?? 'memory', error);
    });
    const db = knex({
      client: 'pg',
      connection: {
        ...createPgConfig(yieldingPglite(pglite) as never),
        types: columnTypes,
      } as unknown as Knex.PgConnectionConfig,
      pool: {
        min: 1,
        max: 1,
        afterCreate: (connection: pg.Client, done: Done) => {
          noteEmbedded(connection, pglite);
          prepareSession(connection, done);
        },
      },
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      log: silentLog,
    });
    const close = async () => {
      await db.destroy();
      await pglite.close();
      await lock?.release();
    };
    const ping = async () => {
      await db.raw('select 1');
    };
    return { knex: db, embedded: true, ping, close };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

type Done = (error: Error | null, connection: pg.Client) => void;

/** Sets UTC, and disables just-in-time compilation, which costs more than any of our queries. */
function prepareSession(connection: pg.Client, done: Done): void {
  connection.query("set time zone 'UTC'; set jit = off").then(
    () => done(null, connection),
    (error: Error) => done(error, connection),
  );
}

/** An arbitrary constant. The process that holds the lock migrates; the others wait and then find nothing to do. */
const MIGRATION_LOCK = 7_382_461;

/**
 * Migrates the schema, once if several processes start together. Returns the applied migrations.
 * @throws SchemaError if a newer version migrated it.
 */
export async function migrate(db: Knex): Promise<string[]> {
  return db.transaction(async (trx) => {
    await liftTimeLimits(trx);
    await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    await requireNoNewerSchema(trx);
    const [, applied] = await trx.migrate.latest({ migrationSource });
    return applied as string[];
  });
}
