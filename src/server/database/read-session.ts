/** The database as a computed read sees it: one statement after the other, and none when nobody waits for them any more. */
import type { Knex } from 'knex';
import pg from 'pg';
import { errors } from '../../contract/errors.js';
import type { Audience } from '../base/audience.js';
import { ClientGoneError, refuse } from '../base/errors.js';
import { createFairQueue, type FairQueue, MAX_WAIT_MS, RETRY_AFTER_SECONDS } from '../base/fair-queue.js';
import type { Db } from '../base/statement.js';
import { inside } from './connections.js';
import { isEmbedded } from './copy.js';

export interface ReadPool {
  /** Runs `work` when it is the turn of those who wait for it. It uses one connection at a time. */
  read<T>(audience: Audience, work: (db: Db) => Promise<T>): Promise<T>;
  /** How many wait for their turn. */
  readonly waiting: number;
}

/** The methods of the pool of knex, which its types omit. */
interface Pool {
  readonly max: number;
  numUsed(): number;
}

const poolOf = (db: Knex): Pool => db.client.pool;

/** Limits how many connections of a pool reads use at once, and how many of them one key does. */
export function readTurns(db: Knex, keptForOthers: number): FairQueue {
  const { max } = poolOf(db);
  const perKey = Math.max(1, Math.floor(max / 2));
  return createFairQueue({
    // One for the other keys at least. It may be one of those that are kept: it is used for a statement at a time.
    total: Math.min(max, Math.max(perKey + 1, max - keptForOthers)),
    perKey,
    waiting: 512,
    // As many as its bucket has tokens.
    waitingPerKey: 128,
    maxWaitMs: MAX_WAIT_MS,
    busy: errors.serverBusy,
  });
}

/** @param keptForOthers How many connections of the pool reads leave to other work, if others remain. */
export function readPool(db: Knex, keptForOthers: number): ReadPool {
  const turns = readTurns(db, keptForOthers);
  return {
    get waiting() {
      return turns.waiting;
    },
    read: (audience, work) =>
      turns.run(audience, () => work(statementsInTurn(audience.gone, (run) => withConnection(db, run)))),
  };
}

async function withConnection<T>(db: Knex, run: Run<T>): Promise<T> {
  const connection = await acquire(db);
  try {
    return await run(db, connection);
  } finally {
    await db.client.releaseConnection(connection);
  }
}

/** @throws 503 if all connections stay in use. */
async function acquire(db: Knex): Promise<pg.Client> {
  try {
    return await db.client.acquireConnection();
  } catch (error) {
    const isBusy = (error as Error).name === 'KnexTimeoutError' && poolOf(db).numUsed() > 0;
    throw isBusy ? refuse(errors.serverBusy(RETRY_AFTER_SECONDS)) : error;
  }
}

/** The statements of a transaction that reads. */
export const readsOf = (trx: Knex.Transaction, gone: AbortSignal): Db =>
  statementsInTurn(gone, async (run) => run(trx, await trx.client.acquireConnection()));

type Run<T> = (db: Knex, connection: pg.Client) => Promise<T>;
type Connected = <T>(run: Run<T>) => Promise<T>;

/**
 * The database for `statement`, which sends one statement after the other: readers start several at once, and a connection
 * runs one at a time. After one that fails, and when the audience is gone, no further one is sent.
 */
function statementsInTurn(gone: AbortSignal, connected: Connected): Db {
  let last: Promise<unknown> = Promise.resolve();
  const raw: Db['raw'] = (sql, bindings) => ({
    options: (options) => {
      const result = last.then(async () => {
        if (gone.aborted) throw new ClientGoneError();
        try {
          return await connected((db, connection) =>
            cancelled(gone, connection, db.raw(sql, bindings).options(options).connection(connection)),
          );
        } catch (error) {
          throw gone.aborted ? new ClientGoneError() : error;
        }
      });
      last = result;
      return result;
    },
  });
  return { raw };
}

/**
 * The result of a statement, which is cancelled when the audience is gone. The connection is not used meanwhile, and never
 * again if the request to cancel may still arrive: it would end a statement of somebody else.
 */
async function cancelled<T>(gone: AbortSignal, connection: pg.Client, statement: PromiseLike<T>): Promise<T> {
  let cancelling: Promise<boolean> | undefined;
  const cancel = (): void => {
    cancelling = cancelStatement(connection);
  };
  if (gone.aborted) throw new ClientGoneError();
  gone.addEventListener('abort', cancel, { once: true });
  try {
    return await statement;
  } finally {
    gone.removeEventListener('abort', cancel);
    if (cancelling && !(await cancelling)) await closeConnection(connection);
  }
}

// Ends the running statement of a connection.

/** How long the server may take to accept the request. */
const PATIENCE_MS = 5000;

/**
 * Asks the server to cancel the statement that the connection runs. The request has the secret of the connection.
 * `pg_cancel_backend` would need only its process id, which behind a pooler or a balancer may be that of another
 * server's process. The embedded database finishes its statement.
 * @returns whether the request is done with. Otherwise it may still arrive, and cancel whatever the connection runs then.
 */
export function cancelStatement(running: pg.Client, patienceMs = PATIENCE_MS): Promise<boolean> {
  if (isEmbedded(running)) return Promise.resolve(true);
  const { processID, secretKey, host, port, connectionParameters } = inside(running);
  const { connection } = inside(new pg.Client(connectionParameters));
  return new Promise((resolve) => {
    let isDone = true;
    let isAsked = false;
    const giveUp = (): void => {
      isDone = !isAsked;
      connection.stream.destroy();
    };
    connection.once('end', () => resolve(isDone));
    connection.on('error', giveUp);
    // The server closes the connection when it has sent the signal.
    const ask = (): void => {
      isAsked = true;
      connection.cancel(processID, secretKey);
    };
    connection.once('sslconnect', ask);
    connection.once('connect', () => {
      if (!connection.ssl) ask();
      else if (connection.sslNegotiation !== 'direct') connection.requestSsl();
    });
    connection.stream.setTimeout(patienceMs, giveUp);
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}

/** Closes a connection at once, even if its server is frozen. The pool does not use it again. */
function closeConnection(client: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    const { stream } = inside(client).connection;
    if (stream.destroyed) return resolve();
    client.once('end', resolve);
    stream.destroy();
  });
}
