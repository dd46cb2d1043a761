/**
 * Keeps values for a short time, and looks up those in use together when it is over. A statement for each value would cost a
 * server with many keys as much as the requests themselves.
 */
import { performance } from 'node:perf_hooks';

/** Looks up values by name. A name that is absent from the result has none. */
export type LookUp<V> = (names: readonly string[]) => Promise<ReadonlyMap<string, V>>;

export interface Refreshed<V> {
  /**
   * The value of a name, null without one. It is a promise only if it is not known yet.
   * @param onLookUp Called before a name is looked up that nobody asks for.
   */
  get(name: string, onLookUp?: () => void): Promise<V | null> | V | null;
  /** Forgets the value of a name, also one that is being looked up. */
  forget(name: string): void;
  /** Forgets all values. */
  clear(): void;
}

/**
 * @param lookUp Concurrent requests for a name share one. A failure is the answer to them, and is not kept.
 * @param milliseconds How long values are kept, from a common beginning.
 * @param clock Milliseconds that never go back.
 */
export function refreshedTogether<V>(
  lookUp: LookUp<V>,
  milliseconds: number,
  clock = () => performance.now(),
): Refreshed<V> {
  let end = Number.NEGATIVE_INFINITY;
  let values = new Map<string, V | null>();
  /** The names that were requested since the beginning. */
  let used = new Set<string>();
  let pending = new Map<string, ReturnType<LookUp<V>>>();

  function load(names: readonly string[]): ReturnType<LookUp<V>> {
    const found = lookUp(names);
    const begun = pending;
    for (const name of names) begun.set(name, found);
    const settle = (keep: (name: string) => void) => {
      // After `forget` and `clear` the values may be old.
      const wanted = names.filter((name) => begun.get(name) === found);
      for (const name of wanted) begun.delete(name);
      if (begun === pending) wanted.forEach(keep);
    };
    found.then(
      (all) => settle((name) => values.set(name, all.get(name) ?? null)),
      () => settle(() => undefined),
    );
    return found;
  }

  /** Looks up the values that were used again. Names without a value are not: they may be guesses. */
  function refresh(now: number): void {
    const names = [...used].filter((name) => values.get(name) && !pending.has(name));
    end = now + milliseconds;
    values = new Map();
    used = new Set();
    if (names.length > 0) load(names);
  }

  return {
    get(name, onLookUp) {
      const now = clock();
      if (now >= end) refresh(now);
      const value = values.get(name);
      if (value === undefined && !pending.has(name)) onLookUp?.();
      used.add(name);
      if (value !== undefined) return value;
      return (pending.get(name) ?? load([name])).then((all) => all.get(name) ?? null);
    },
    forget(name) {
      values.delete(name);
      pending.delete(name);
    },
    clear() {
      end = Number.NEGATIVE_INFINITY;
      values = new Map();
      used = new Set();
      pending = new Map();
    },
  };
}
