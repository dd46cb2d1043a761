/**
 * Limits how many pieces of work run at once, in total and for each key. Waiting ones are started round-robin by key, then
 * in order of arrival.
 */
import type { Refusal } from '../../contract/errors.js';
import { ClientGoneError, refuse } from '../errors.js';
import type { Audience } from './audience.js';

export interface FairQueueLimits {
  /** How many run at once: of all keys, and of one key. */
  readonly total: number;
  readonly perKey: number;
  /** How many wait at once: of all keys, and of one key. */
  readonly waiting: number;
  readonly waitingPerKey: number;
  /** Work that has waited this long is refused, before its client times out. */
  readonly maxWaitMs: number;
  /** The refusal of work that would wait with too many others, or that has waited too long. */
  readonly busy: (retryAfterSeconds: number) => Refusal;
}

/** For bodies and reads. */
export const MAX_WAIT_MS = 20_000;
export const RETRY_AFTER_SECONDS = 5;

export interface FairQueue {
  /**
   * Runs `work` when it is the turn of one of the keys that wait for it.
   * @throws 503 if too many wait already and no other key has more of them, or if it takes too long; ClientGoneError if nobody waits any more. Then `work` is
   *   not run.
   */
  run<T>(audience: Audience, work: () => Promise<T>): Promise<T>;
  readonly waiting: number;
}

interface Waiting {
  readonly audience: Audience;
  /** The key that asked for the work first. */
  readonly keyId: string;
  /** Begins the work, at the expense of a key. */
  readonly begin: (keyId: string) => void;
  readonly refuse: () => void;
}

interface Next {
  readonly one: Waiting;
  readonly keyId: string;
}

export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const running = new Counts();
  const queued = new Counts();
  /** In the order of arrival. */
  const waiting = new Set<Waiting>();
  /** The number of each key's latest turn since the queue was last idle. */
  const latest = new Map<string, number>();
  let free = limits.total;
  let turns = 0;

  const busy = () => refuse(limits.busy(RETRY_AFTER_SECONDS));

  function next(): Next | undefined {
    let best: Next | undefined;
    let bestTurn = Number.POSITIVE_INFINITY;
    for (const one of waiting) {
      for (const keyId of one.audience.keys) {
        const turn = latest.get(keyId) ?? 0;
        if (turn >= bestTurn || running.of(keyId) >= limits.perKey) continue;
        best = { one, keyId };
        bestTurn = turn;
      }
    }
    return best;
  }

  function beginNext(): void {
    for (let found = free > 0 && next(); found; found = free > 0 && next()) {
      const { one, keyId } = found;
      free--;
      running.add(keyId);
      latest.set(keyId, ++turns);
      one.begin(keyId);
    }
    if (waiting.size === 0 && running.size === 0) latest.clear();
  }

  function end(keyId: string): void {
    free++;
    running.remove(keyId);
    beginNext();
  }

  /** The latest of the key for which most wait, so that keys with many do not keep others out. */
  function latestOfMost(newcomer: Waiting): Waiting {
    let found = newcomer;
    for (const one of waiting) {
      const more = queued.of(one.keyId) - queued.of(found.keyId);
      if (more > 0 || one.keyId === found.keyId) found = one;
    }
    return found;
  }

  /** Waits for a turn. Returns the key that has it. */
  function turn(audience: Audience): Promise<string> {
    const [keyId = ''] = audience.keys;
    return new Promise((resolve, reject) => {
      if (audience.gone.aborted) return reject(new ClientGoneError());
      const leave = (): void => {
        waiting.delete(one);
        queued.remove(keyId);
        clearTimeout(late);
        stopListening();
        audience.gone.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        reject(new ClientGoneError());
      };
      const giveWay = (): void => {
        leave();
        reject(busy());
      };
      const late = setTimeout(giveWay, limits.maxWaitMs);
      const begin = (key: string): void => {
        leave();
        resolve(key);
      };
      const one: Waiting = { audience, keyId, begin, refuse: giveWay };
      const stopListening = audience.onJoin(beginNext);
      audience.gone.addEventListener('abort', giveUp, { once: true });
      waiting.add(one);
      queued.add(keyId);
      beginNext();
      // Only now, because work that begins at once does not wait.
      if (!waiting.has(one)) return;
      if (queued.of(keyId) > limits.waitingPerKey) giveWay();
      else if (waiting.size > limits.waiting) latestOfMost(one).refuse();
    });
  }

  return {
    get waiting() {
      return waiting.size;
    },
    async run(audience, work) {
      const keyId = await turn(audience);
      try {
        return await work();
      } finally {
        end(keyId);
      }
    },
  };
}

/** Counts by key; a key with none is forgotten. */
class Counts {
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#counts.size;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  remove(key: string): void {
    const left = this.of(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}
