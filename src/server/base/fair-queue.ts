/**
 * Limits how many pieces of work run at once, in total and for each key. Waiting ones are started round-robin by key, then
 * in order of arrival. What waits for the parts of a key, `KEY/PART`, has the turns of the key together, round-robin by part.
 */
import { errors, type Refusal } from '../../contract/errors.js';
import { type Audience, createLeaving } from './audience.js';
import { ClientGoneError, refuse } from './errors.js';

export interface FairQueueLimits {
  /** How many run at once: of all keys, and of one key; a part of a key has half as many. */
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

/** How long a body, a read, or all reads of a page together wait at most. */
export const MAX_WAIT_MS = 20_000;
export const RETRY_AFTER_SECONDS = 5;

export interface FairQueue {
  /**
   * Runs `work` when it is the turn of one of the keys that wait for it.
   * @throws 503 if too many wait already and no other key, or part of its key, has more of them, or if it takes too long;
   *   ClientGoneError if nobody waits any more. Then `work` is not run.
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

/** The key of a part of it, and a key itself. */
const whole = (keyId: string): string => {
  const end = keyId.indexOf('/');
  return end < 0 ? keyId : keyId.slice(0, end);
};

export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const running = new Counts();
  const queued = new Counts();
  /** The turns that wait, in the order of arrival. */
  const waiting = new Set<Waiting>();
  /** The number of the latest turn of each key and part since the queue was last idle. */
  const latest = new Map<string, number>();
  const perPart = Math.max(1, Math.floor(limits.perKey / 2));
  let free = limits.total;
  let turns = 0;

  const busy = () => refuse(limits.busy(RETRY_AFTER_SECONDS));
  const turnOf = (keyId: string): number => latest.get(keyId) ?? 0;
  const hasMost = (keyId: string): boolean =>
    running.of(whole(keyId)) >= limits.perKey || (whole(keyId) !== keyId && running.of(keyId) >= perPart);
  const isBefore = (one: string, other: string): boolean =>
    (turnOf(whole(one)) - turnOf(whole(other)) || turnOf(one) - turnOf(other)) < 0;

  function next(): Next | undefined {
    let best: Next | undefined;
    for (const one of waiting) {
      for (const keyId of one.audience.keys) {
        if (hasMost(keyId) || (best && !isBefore(keyId, best.keyId))) continue;
        best = { one, keyId };
      }
    }
    return best;
  }

  function beginNext(): void {
    for (let found = free > 0 && next(); found; found = free > 0 && next()) {
      const { one, keyId } = found;
      free--;
      running.add(keyId);
      turns++;
      latest.set(keyId, turns).set(whole(keyId), turns);
      one.begin(keyId);
    }
    if (waiting.size === 0 && running.size === 0) latest.clear();
  }

  function end(keyId: string): void {
    free++;
    running.remove(keyId);
    beginNext();
  }

  /** The latest of the key for which most wait, and of its parts, so that those with many do not keep others out. */
  function latestOfMost(newcomer: Waiting, among: Iterable<Waiting>): Waiting {
    let found = newcomer;
    for (const one of among) {
      const isPart = whole(one.keyId) === whole(found.keyId);
      const [own, most] = isPart ? [one.keyId, found.keyId] : [whole(one.keyId), whole(found.keyId)];
      if (queued.of(own) > queued.of(most) || one.keyId === found.keyId) found = one;
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
      const ofKey = () => [...waiting].filter((other) => whole(other.keyId) === whole(keyId));
      if (queued.of(whole(keyId)) > limits.waitingPerKey) latestOfMost(one, ofKey()).refuse();
      else if (waiting.size > limits.waiting) latestOfMost(one, waiting).refuse();
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

/**
 * The result of work that a client awaits for as long as one read may wait.
 * @param work Ends with ClientGoneError when its signal is aborted.
 * @throws 503 if it takes longer.
 */
export async function inTime<T>(
  gone: AbortSignal,
  work: (until: AbortSignal) => Promise<T>,
  maxWaitMs = MAX_WAIT_MS,
): Promise<T> {
  const until = createLeaving();
  const leave = (): void => until.abort();
  const late = setTimeout(leave, maxWaitMs);
  gone.addEventListener('abort', leave, { once: true });
  if (gone.aborted) leave();
  try {
    return await work(until.signal);
  } catch (error) {
    const isLate = until.signal.aborted && !gone.aborted && error instanceof ClientGoneError;
    throw isLate ? refuse(errors.serverBusy(RETRY_AFTER_SECONDS)) : error;
  } finally {
    clearTimeout(late);
    gone.removeEventListener('abort', leave);
  }
}

/** Counts by key and part. A count of 0 is deleted. */
class Counts {
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#counts.size;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    for (const each of new Set([key, whole(key)])) this.#counts.set(each, this.of(each) + 1);
  }

  remove(key: string): void {
    for (const each of new Set([key, whole(key)])) {
      const left = this.of(each) - 1;
      if (left > 0) this.#counts.set(each, left);
      else this.#counts.delete(each);
    }
  }
}
