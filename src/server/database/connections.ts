/** What connections and transactions have in common: column types, settings, time limits, repetition. */
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';

// Parses the columns of a result, on either database.

const asNumber = (value: string): number => Number(value);
const asIs = (value: string): string => value;
const arrayOf = (parse: (value: string) => unknown) => (value: string) =>
  value === '{}' ? [] : value.slice(1, -1).split(',').map(parse);

/** Parsers by type id, for types whose default parser is not used: counts become numbers, dates YYYY-MM-DD. */
const parsers = new Map<number, (value: string) => unknown>([
  [20, asNumber],
  [1700, asNumber],
  [1082, asIs],
  [1016, arrayOf(asNumber)],
  [1182, arrayOf(asIs)],
]);
export const columnTypes = {
  getTypeParser: (id: number, format?: string) =>
    (format !== 'binary' && parsers.get(id)) || pg.types.getTypeParser(id, format as 'text'),
};

export const ACQUIRE_TIMEOUT_MS = 5000;

/** Silences knex, which otherwise prints errors to standard output besides throwing them. */
const nothing = (): void => {};
export const silentLog = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing };

export type Done = (error: Error | null, connection: pg.Client) => void;

/** Sets UTC, and disables just-in-time compilation, which costs more than any of our queries. */
export const SESSION_SETTINGS = "set time zone 'UTC'; set jit = off";

export function prepareSession(connection: pg.Client, done: Done): void {
  connection.query(SESSION_SETTINGS).then(
    () => done(null, connection),
    (error: Error) => done(error, connection),
  );
}

// Time limits of the database: the server's for each statement, and one of this process for each connection.

/** Limits of connections to the primary; the Postgres server enforces those on statements and locks. */
export const PRIMARY_LIMITS = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  connectionTimeoutMillis: 4000,
} as const;
/** Limits of connections to a replica: shorter, because the primary can still compute the read. */
export const REPLICA_LIMITS = {
  statement_timeout: 10_000,
  lock_timeout: 5000,
  connectionTimeoutMillis: 2000,
} as const;

/** Longer than any statement may take. A server that sends nothing for this long is frozen or unreachable. */
export const SILENCE_MS = 35_000;
export const REPLICA_SILENCE_MS = 12_000;

/** Properties of the driver's client that its published type does not have. */
interface Inside {
  /** False while the client waits for a response of the server. */
  readonly readyForQuery: boolean;
  readonly processID: number;
  readonly secretKey: number;
  readonly connectionParameters: pg.ClientConfig;
  readonly connection: {
    connect(port: number | string, host?: string): void;
    cancel(processID: number, secretKey: number): void;
    requestSsl(): void;
    readonly ssl: unknown;
    readonly sslNegotiation?: string;
    /** The statements with names that the database has prepared. */
    parsedStatements: Readonly<Record<string, string>>;
    once(event: string, listener: () => void): void;
    on(event: 'error', listener: () => void): void;
    readonly stream: Socket;
  };
}

export const inside = (client: pg.Client) => client as pg.Client & Inside;

/** Connections whose transaction has no time limits, with that transaction. */
const unlimited = new WeakMap<object, Knex.Transaction>();

/**
 * Closes a connection whose server sends nothing for `ms` after a query. A frozen server keeps its sockets open, and the
 * driver's own `query_timeout` would return the connection to the pool.
 */
export function endWhenSilent(connection: pg.Client, ms: number): void {
  const client = inside(connection);
  const { stream } = client.connection;
  stream.setTimeout(ms);
  stream.on('timeout', () => {
    if (client.readyForQuery || unlimited.has(connection)) return;
    const error = new Error(`The database has not answered for ${ms / 1000} s`);
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}

/**
 * Sends the settings of the transaction to the nodes of a distributed database as well. Elsewhere the name means nothing,
 * and Postgres accepts any name with a prefix.
 */
const SETTINGS_FOR_ALL_NODES = "set local citus.propagate_set_commands = 'local'";

/** Removes every time limit until the transaction ends: for imports, exports, migrations and the nightly statistics. */
export async function liftTimeLimits(trx: Knex.Transaction): Promise<void> {
  const connection: pg.Client = await trx.client.acquireConnection();
  unlimited.set(connection, trx);
  const restore = () => {
    if (unlimited.get(connection) === trx) unlimited.delete(connection);
  };
  trx.executionPromise.then(restore, restore);
  await trx.raw(SETTINGS_FOR_ALL_NODES);
  await trx.raw('set local statement_timeout = 0; set local lock_timeout = 0');
}

// Repeats work that failed because of a concurrent transaction.

/** Serialisation failure and deadlock: the whole transaction can be repeated. */
const AGAIN = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 20;

/** Runs `work` in a transaction, and repeats it after a serialisation failure or a deadlock, with growing random pauses. */
export const retriedTransaction = <T>(db: Knex, work: (trx: Knex) => Promise<T>): Promise<T> =>
  retried(() => db.transaction((trx) => work(trx)));

/** Like `retriedTransaction`, for work that opens its own transaction and can be repeated. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!AGAIN.has(code) || attempt === MAX_ATTEMPTS) throw error;
      await setTimeout(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}
