/** Opens the database on a Postgres server, with a replica for reads if one is configured. */
import { availableParallelism } from 'node:os';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import {
  ACQUIRE_TIMEOUT_MS,
  columnTypes,
  type Done,
  endWhenSilent,
  PRIMARY_LIMITS,
  prepareSession,
  REPLICA_LIMITS,
  REPLICA_SILENCE_MS,
  SILENCE_MS,
  silentLog,
} from './connections.js';

export interface OpenOptions {
  /** A connection that waits this long for a response is closed. */
  readonly silenceMs?: number;
  /** Processes of this server, which share the connections of a server of one process. */
  readonly processes?: number;
}

/** How long a ping of a server may take. */
const PING_MS = 5000;
/** Reads and stored logs need one each to make progress. */
const MIN_CONNECTIONS = 4;

/** Connections for keys, brands and rate buckets, whose statements take about a millisecond. */
const LOOK_UP_CONNECTIONS = 2;

/** The size of the pool of each of these processes. */
const poolSize = (processes: number): number =>
  Math.max(MIN_CONNECTIONS, Math.ceil((availableParallelism() * 2 + 2) / processes));

/** Opens pools of connections; nothing connects before the first query. */
export function openServer(
  { url, readUrl }: { readonly url: string; readonly readUrl?: string | undefined },
  { silenceMs = SILENCE_MS, processes = 1 }: OpenOptions,
) {
  const connections = poolSize(processes);
  const db = serverPool(url, connections, PRIMARY_LIMITS, silenceMs);
  const lookUps = serverPool(url, LOOK_UP_CONNECTIONS, PRIMARY_LIMITS, silenceMs);
  const probe = serverPool(url, 1, PRIMARY_LIMITS, Math.min(PING_MS, silenceMs));
  const replica =
    readUrl === undefined
      ? null
      : serverPool(readUrl, connections, REPLICA_LIMITS, Math.min(REPLICA_SILENCE_MS, silenceMs));
  return {
    knex: db,
    lookUps,
    replica,
    embedded: false,
    ping: async () => {
      await probe.raw('select 1');
    },
    close: async () => {
      await Promise.all([db, lookUps, probe, replica].map((pool) => pool?.destroy()));
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
