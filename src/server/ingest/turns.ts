/** Limits how many bodies are parsed and stored concurrently. Waiting bodies are started round-robin by key, then in order of arrival. */
import type { Knex } from 'knex';
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';

/** A body that has waited this long is refused, before its client times out. */
const LONGEST_WAIT_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;
/** More would not be faster, because one process parses them all, and each uses up to about 30 MB while it is parsed. */
const MOST_AT_ONCE = 4;

/** At most half of the pool, so that reads get a connection while all writers wait for locks. */
export function turnsFor(db: Knex): number {
  const { max: connections }: { max: number } = db.client.pool;
  return Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(connections / 2)));
}

export interface Turns {
  /**
   * Runs `work` when it is its turn.
   * @throws 503 if that takes too long; then `work` is not run.
   */
  take<T>(keyId: string, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly keyId: string;
  readonly begin: () => void;
}

/** @param total How many run concurrently. A key uses at most all but one of them, if there are several. */
export function createTurns(total: number, longestWaitMs = LONGEST_WAIT_MS): Turns {
  const perKey = Math.max(1, total - 1);
  const running = new Map<string, number>();
  /** In the order of arrival. */
  const waiting = new Set<Waiting>();
  /** The number of each key's latest turn since the queue was last idle. */
  const latest = new Map<string, number>();
  let free = total;
  let turns = 0;

  function next(): Waiting | undefined {
    const latestOf = ({ keyId }: Waiting): number => latest.get(keyId) ?? 0;
    let best: Waiting | undefined;
    for (const each of waiting) {
      if ((running.get(each.keyId) ?? 0) >= perKey) continue;
      if (!best || latestOf(each) < latestOf(best)) best = each;
    }
    return best;
  }

  function beginNext(): void {
    for (let one = free > 0 && next(); one; one = free > 0 && next()) {
      waiting.delete(one);
      free--;
      running.set(one.keyId, (running.get(one.keyId) ?? 0) + 1);
      latest.set(one.keyId, ++turns);
      one.begin();
    }
    if (waiting.size === 0 && running.size === 0) latest.clear();
  }

  function end(keyId: string): void {
    free++;
    const left = (running.get(keyId) as number) - 1;
    if (left > 0) running.set(keyId, left);
    else running.delete(keyId);
    beginNext();
  }

  const turn = (keyId: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(one);
        reject(refuse(errors.ingestBusy(RETRY_AFTER_SECONDS)));
      }, longestWaitMs);
      const begin = () => {
        clearTimeout(late);
        resolve();
      };
      const one: Waiting = { keyId, begin };
      waiting.add(one);
      beginNext();
    });

  return {
    async take(keyId, work) {
      await turn(keyId);
      try {
        return await work();
      } finally {
        end(keyId);
      }
    },
  };
}
