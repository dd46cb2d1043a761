/** How long the database may take: limits of the server for each statement, and one of this process for each connection. */
import type { Socket } from 'node:net';
import type { Knex } from 'knex';
import type pg from 'pg';

/** Limits that a Postgres server keeps itself. */
export const SERVER_LIMITS = { statement_timeout: 30_000, lock_timeout: 10_000 } as const;

/** Longer than any statement may take: a server that says nothing for so long is frozen or out of reach. */
export const SILENCE_MS = 35_000;

/** What the driver's client has besides its published type. */
interface Inside {
  /** False while the server owes an answer. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
}

/** Connections in a transaction that may take any time, by transaction. */
const unlimited = new WeakMap<object, Knex.Transaction>();

/**
 * Ends a connection whose server was asked something and sends nothing for so long. A frozen server keeps its
 * sockets open, and the driver's own `query_timeout` would leave the connection to whoever comes next.
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

/** Lifts every limit on time until the transaction ends: for imports, exports, migrations and the nightly statistics. */
export async function liftTimeLimits(trx: Knex.Transaction): Promise<void> {
  const connection: pg.Client = await trx.client.acquireConnection();
  unlimited.set(connection, trx);
  const restore = () => {
    if (unlimited.get(connection) === trx) unlimited.delete(connection);
  };
  trx.executionPromise.then(restore, restore);
  await trx.raw('set local statement_timeout = 0; set local lock_timeout = 0');
}
