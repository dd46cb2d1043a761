/** Few bodies at a time are parsed and stored. Those that wait are taken by turns of their keys, then as they came. */
import type { Knex } from 'knex';
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';

/** A body that could not be begun in so long is given back to its sender, who would give up soon. */
const LONGEST_WAIT_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;
/** More would not be faster, as one process parses them all, and each holds up to some 30 MB while it is parsed. */
const MOST_AT_ONCE = 4;

/** Half of the pool at most, so that reads find a connection while all that is stored waits for locks. */
export function turnsFor(db: Knex): number {
  const { max: connections }: { max: number } = db.client.pool;
  return Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(connections / 2)));
}

export interface Turns {
  /**
   * Does `work` when it is its turn.
   * @throws 503 where that took too long; nothing was done then.
   */
  take<T>(keyId: string, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly keyId: string;
  readonly begin: () => void;
}

/** @param total How many at a time; one key has all but one of them at most, where there are several. */
export function createTurns(total: number, longestWaitMs = LONGEST_WAIT_MS): Turns {
  const perKey = Math.max(1, total - 1);
  const running = new Map<string, number>();
  /** In the order of arrival. */
  const waiting = new Set<Waiting>();
  /** The number of each key's latest turn, of those that had one since all was idle. */
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
