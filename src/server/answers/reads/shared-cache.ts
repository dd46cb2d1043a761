/**
 * A cache whose values are made once for all who wait for them. The making ends when nobody waits any more, and goes on
 * while anybody does.
 */
import { LRUCache } from 'lru-cache';
import { type Audience, SharedAudience, type Waiter } from '../../base/audience.js';
import type { Stopwatch } from '../../base/clock.js';
import { ClientGoneError } from '../../base/errors.js';

interface Making<V> {
  readonly audience: SharedAudience;
  readonly result: Promise<V>;
}

/** Makes a value, for those who wait for it. */
export type Make<V> = (audience: Audience) => Promise<V>;

export interface SharedCache<V extends object> {
  /** The value under this key; undefined: it is not there. */
  peek(key: string): V | undefined;
  /**
   * The value under this key, made by `make` if it is not there.
   * @throws ClientGoneError as soon as the client of this waiter has left.
   */
  make<W extends V>(key: string, waiter: Waiter, make: Make<W>): Promise<W>;
}

/** How much a cache holds, and for how long. */
type Limits<V extends object> = Pick<
  LRUCache.Options<string, V, unknown>,
  'max' | 'maxSize' | 'sizeCalculation' | 'ttl'
>;

export function createSharedCache<V extends object>(limits: Limits<V>, elapsed: Stopwatch): SharedCache<V> {
  const options = { ...limits, perf: { now: elapsed }, ttlResolution: 0 };
  const values = new LRUCache<string, V>(options as LRUCache.Options<string, V, unknown>);
  const running = new Map<string, Making<V>>();

  function begin(key: string, make: Make<V>): Making<V> {
    const audience = new SharedAudience();
    const forget = (): void => {
      if (running.get(key) === making) running.delete(key);
    };
    // In the next turn, when the first waiter has joined.
    const result = Promise.resolve()
      .then(() => make(audience))
      .finally(forget);
    const making = { audience, result };
    running.set(key, making);
    // A request that comes after the last one has left begins anew.
    audience.gone.addEventListener('abort', forget, { once: true });
    result.then(
      (value) => values.set(key, value),
      () => undefined,
    );
    return making;
  }

  return {
    peek: (key) => values.get(key),
    make: async <W extends V>(key: string, waiter: Waiter, make: Make<W>) => {
      if (waiter.gone.aborted) throw new ClientGoneError();
      const { audience, result } = running.get(key) ?? begin(key, make);
      return audience.join(waiter, result) as Promise<W>;
    },
  };
}
