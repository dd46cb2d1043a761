/** Time limits of the database: the server's for each statement, and one of this process for each connection. */
import type { Socket } from 'node:net';
import type { Knex } from 'knex';
import type pg from 'pg';

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
  readonly connection: { readonly stream: Socket };
}

/** Connections whose transaction has no time limits, with that transaction. */
const unlimited = new WeakMap<object, Knex.Transaction>();

/**
 * Closes a connection whose server sends nothing for `ms` after a query. A frozen server keeps its sockets open, and the
 * driver's own `query_timeout` would return the connection to the pool.
 */
export function endWhenSilent(connection: pg.Client, ms: number): void {
  const inside = connection as unknown as Inside;
  const { stream } = inside.connection;
  stream.setTimeout(ms);
  stream.on('timeout', () => {
    if (inside.readyForQuery || unlimited.has(connection)) return;
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
