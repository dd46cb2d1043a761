/** Decides whether a replica is used. One that fails or lags is left out, and used again when it has caught up. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from '../log.js';
import { statement } from '../statement.js';

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
