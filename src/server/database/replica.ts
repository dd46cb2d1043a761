/** Runs reads on a replica. While it lags or fails, the primary must run them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Audience } from '../base/audience.js';
import { ClientGoneError, isDatabaseUnavailable } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import { type Db, statement } from '../base/statement.js';
import { readsOf, readTurns } from './read-session.js';

// Decides whether a replica is used. One that fails or lags is left out, and used again when it has caught up.

export interface ReplicaStateRow {
  /** The migrations with the times at which they ran: the same on a database and its replicas, and on no other. */
  schema: string;
  /** Grows with every change that any read can see. */
  versions: number;
}

/** How far a database is, to compare a replica with the primary. Always one row. */
export const replicaState = statement<ReplicaStateRow, Record<string, never>>(
  'replica_state',
  `select
     (select string_agg(name || ' ' || extract(epoch from migration_time), ', ' order by id) from knex_migrations) as schema,
     (coalesce((select sum(data_version) from brands), 0)
       + coalesce((select sum(data_version) from crawler_connections), 0))::bigint as versions`,
);

export interface ReplicaWatch {
  /** Whether reads may use the replica now. */
  readonly used: boolean;
  /** Leaves out a replica that failed. */
  failed(error: unknown): void;
  /** Notes that the replica lacked data of a read. It is left out if it has not caught up soon. */
  lacked(): void;
  stop(): void;
}

export interface WatchTimes {
  /** How often a replica that is left out is checked. */
  readonly retryMs: number;
  /** How long a replica may lag. */
  readonly patienceMs: number;
}

const TIMES: WatchTimes = { retryMs: 5000, patienceMs: 2000 };

const OTHER_DATABASE = 'its schema is not that of the primary: it lags, or it is another database';
const LAGS = 'it lags behind the primary';

export interface ReplicaComparison {
  /** The reason why the replica cannot be used; null: it can. */
  readonly problem: string | null;
  /** The sum of the versions of the primary. */
  readonly versions: number;
}

/**
 * Compares a replica with the primary.
 * @param expected A sum of versions that the primary had earlier, and the replica must have by now.
 */
export async function compareReplica(primary: Knex, replica: Knex, expected = 0): Promise<ReplicaComparison> {
  const [[ours], [theirs]] = await Promise.all([
    replicaState(primary, {}),
    replicaState(replica, {}).catch(unlessEmpty),
  ]);
  const { schema, versions } = ours!;
  if (theirs?.schema !== schema) return { problem: OTHER_DATABASE, versions };
  return { problem: theirs.versions < expected ? LAGS : null, versions };
}

const UNDEFINED_TABLE = '42P01';

/** No state, for a database without our tables. */
function unlessEmpty(error: NodeJS.ErrnoException): [] {
  if (error.code === UNDEFINED_TABLE) return [];
  throw error;
}

/** Checks the replica and watches it until `stop`. A replica that fails the first check is left out too. */
export async function watchReplica(
  primary: Knex,
  replica: Knex,
  log: Logger,
  { retryMs, patienceMs }: WatchTimes = TIMES,
): Promise<ReplicaWatch> {
  const stopping = new AbortController();
  let used = true;
  let waiting = false;
  /** The versions of the primary at the last check, which the replica must have at the next one. */
  let expected = 0;

  const check = async (): Promise<string | null> => {
    const { problem, versions } = await compareReplica(primary, replica, expected);
    expected = versions;
    return problem;
  };
  /** Waits; false: the watch was stopped. */
  const wait = (ms: number): Promise<boolean> =>
    pause(ms, true, { ref: false, signal: stopping.signal }).catch(() => false);
  const leave = (reason: string | null, err?: unknown): void => {
    if (!used || stopping.signal.aborted) return;
    used = false;
    log.warn({ reason, err }, 'replica left out: reads use the primary');
    void tryAgain();
  };
  const tryAgain = async (): Promise<void> => {
    while (await wait(retryMs)) {
      const reason = await check().catch(() => LAGS);
      if (reason !== null || stopping.signal.aborted) continue;
      used = true;
      log.info({}, 'replica used again');
      return;
    }
  };
  const allowToCatchUp = async (): Promise<void> => {
    if (waiting || !used) return;
    waiting = true;
    try {
      await check();
      const reason = (await wait(patienceMs)) ? await check() : null;
      if (reason !== null) leave(reason);
    } catch {
      // A database that cannot be reached is noticed by the next read.
    } finally {
      waiting = false;
    }
  };

  try {
    const reason = await check();
    if (reason !== null) leave(reason);
  } catch (error) {
    leave(null, error);
  }
  return {
    get used() {
      return used;
    },
    failed: (error) => leave(null, error),
    lacked: () => void allowToCatchUp(),
    stop: () => stopping.abort(),
  };
}

export interface Replica {
  /**
   * Runs `work`, which only reads, in one snapshot of the replica if that has the data that the read needs. The check is
   * part of the snapshot, because two connections of a balanced address may lead to two replicas.
   * @returns the result in an object; null: the primary must compute it.
   */
  read<T>(
    audience: Audience,
    isCurrent: (db: Db) => Promise<boolean>,
    work: (db: Db) => Promise<T>,
  ): Promise<{ result: T } | null>;
  /** How many reads wait for their turn. */
  readonly waiting: number;
  stop(): void;
}

/** @param primary The database that the replica follows. */
export async function openReplica(
  primary: Knex,
  replica: Knex,
  log: Logger,
  times?: WatchTimes,
): Promise<Replica> {
  const watch = await watchReplica(primary, replica, log, times);
  const turns = readTurns(replica, 0);
  return {
    get waiting() {
      return turns.waiting;
    },
    read: async (audience, isCurrent, work) => {
      if (!watch.used) return null;
      return turns.run(audience, async () =>
        // It may have been left out meanwhile.
        watch.used ? onReplica(replica, watch, audience.gone, isCurrent, work) : null,
      );
    },
    stop: () => watch.stop(),
  };
}

async function onReplica<T>(
  replica: Knex,
  watch: ReplicaWatch,
  gone: AbortSignal,
  isCurrent: (db: Db) => Promise<boolean>,
  work: (db: Db) => Promise<T>,
): Promise<{ result: T } | null> {
  const read = async (trx: Knex.Transaction): Promise<{ result: T } | null> => {
    const db = readsOf(trx, gone);
    return (await isCurrent(db)) ? { result: await work(db) } : null;
  };
  try {
    const found = await replica.transaction(read, { isolationLevel: 'repeatable read', readOnly: true });
    if (found === null) watch.lacked();
    return found;
  } catch (error) {
    // The connection may have been closed because of that.
    if (gone.aborted) throw new ClientGoneError();
    if (!isReplicaFailure(error)) throw error;
    if (!concernsThisReadAlone(error)) watch.failed(error);
    return null;
  }
}

/** SQLSTATE of a table, column or function that the replica does not have yet. */
const MISSING = new Set(['42P01', '42703', '42883']);
/** SQLSTATE of a conflict with recovery, and of statements and locks that took too long. */
const READ_ALONE = new Set(['40001', '40P01', '55P03', '57014']);

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const isReplicaFailure = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || MISSING.has(codeOf(error));

/** Whether other reads can still use the replica. They can if only the pool had no free connection. */
const concernsThisReadAlone = (error: unknown): boolean =>
  READ_ALONE.has(codeOf(error)) || (error as Error).name === 'KnexTimeoutError';
