/** Opens the database: a Postgres server by URL, or Postgres embedded in this process (PGlite) in a folder. */
import { availableParallelism } from 'node:os';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { migrationSource } from '../migrations/index.js';
import { distributeNewTables, dropLocalCopies } from './citus/distribute.js';
import { columnTypes } from './column-types.js';
import { noteEmbedded } from './copy.js';
import { lockFolder, makeFolder } from './data-folder.js';
import { openPglite } from './embedded.js';
import { lockMigrations } from './migration-lock.js';
import { requireNoNewerSchema } from './schema-state.js';
import {
  endWhenSilent,
  liftTimeLimits,
  PRIMARY_LIMITS,
  REPLICA_LIMITS,
  REPLICA_SILENCE_MS,
  SILENCE_MS,
} from './time-limits.js';
import { yieldingPglite } from './yielding.js';

export interface Database {
  readonly knex: Knex;
  /** A replica, for reads; null: none is configured. */
  readonly replica: Knex | null;
  /** Embedded: one process, one connection. */
  readonly embedded: boolean;
  /** Runs a trivial query. For a server it uses a separate connection, so that it does not wait for the pool. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The location of the database, and of its replica. An undefined folder means an embedded database in memory. */
export type DatabaseLocation =
  | { readonly url: string; readonly readUrl?: string | undefined }
  | { readonly folder: string | undefined };

const ACQUIRE_TIMEOUT_MS = 5000;

/** Silences knex, which otherwise prints errors to standard output besides throwing them. */
const nothing = (): void => {};
const silentLog = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing };

export interface OpenOptions {
  /** A connection that waits this long for a response is closed. */
  readonly silenceMs?: number;
  /** Processes of this server, which share the connections of a server of one process. */
  readonly processes?: number;
}

/**
 * Opens the database without migrating it.
 * @throws FolderInUseError if another process uses the embedded folder.
 */
export async function openDatabase(location: DatabaseLocation, options: OpenOptions = {}): Promise<Database> {
  return 'url' in location ? openServer(location, options) : openEmbedded(location.folder);
}

/** How long a ping of a server may take. */
const PING_MS = 5000;
/** Reads and stored logs need one each to make progress. */
const FEWEST_CONNECTIONS = 4;

/** The size of the pool of each of these processes. */
const poolSize = (processes: number): number =>
  Math.max(FEWEST_CONNECTIONS, Math.ceil((availableParallelism() * 2 + 2) / processes));

function openServer(
  { url, readUrl }: { readonly url: string; readonly readUrl?: string | undefined },
  { silenceMs = SILENCE_MS, processes = 1 }: OpenOptions,
): Database {
  const connections = poolSize(processes);
  const db = serverPool(url, connections, PRIMARY_LIMITS, silenceMs);
  const probe = serverPool(url, 1, PRIMARY_LIMITS, Math.min(PING_MS, silenceMs));
  const replica =
    readUrl === undefined
      ? null
      : serverPool(readUrl, connections, REPLICA_LIMITS, Math.min(REPLICA_SILENCE_MS, silenceMs));
  return {
    knex: db,
    replica,
    embedded: false,
    ping: async () => {
      await probe.raw('select 1');
    },
    close: async () => {
      await Promise.all([db.destroy(), probe.destroy(), replica?.destroy()]);
    },
  };
}

function serverPool(url: string, connections: number, limits: object, silenceMs: number): Knex {
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'svc',
      ...limits,
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
    const pglite = await openPglite(folder);
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
    return { knex: db, replica: null, embedded: true, ping, close };
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

/**
 * Migrates the schema, once if several processes start together. On a distributed database new tables are distributed
 * too. Returns the applied migrations.
 * @throws SchemaError if a newer version migrated it.
 */
export async function migrate(db: Knex): Promise<string[]> {
  const { applied, distributed } = await db.transaction(async (trx) => {
    await liftTimeLimits(trx);
    await lockMigrations(trx);
    await requireNoNewerSchema(trx);
    const [, names] = await trx.migrate.latest({ migrationSource });
    return { applied: names as string[], distributed: await distributeNewTables(trx) };
  });
  await dropLocalCopies(db, distributed);
  return applied;
}
