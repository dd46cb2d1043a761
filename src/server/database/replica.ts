/** Runs reads on a replica. Where it lags or fails the primary must run them. */
import type { Knex } from 'knex';
import { ClientGoneError, isDatabaseUnavailable } from '../errors.js';
import type { Audience } from '../limits/audience.js';
import type { Logger } from '../log.js';
import { readsOf, readTurns } from './read-session.js';
import { type ReplicaWatch, type WatchTimes, watchReplica } from './replica-watch.js';

export interface Replica {
  /**
   * Runs `work`, which only reads, in one snapshot of the replica if that has the data that the read needs. The check is
   * part of the snapshot, because two connections of a balanced address may lead to two replicas.
   * @returns the result in an object; null: the primary must compute it.
   */
  read<T>(
    audience: Audience,
    isCurrent: (db: Knex) => Promise<boolean>,
    work: (db: Knex) => Promise<T>,
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
  isCurrent: (db: Knex) => Promise<boolean>,
  work: (db: Knex) => Promise<T>,
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
