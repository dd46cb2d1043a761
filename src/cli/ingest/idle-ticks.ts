/** An item, or undefined: no item arrived for a while. */
export type Tick<T> = T | undefined;

/**
 * Yields the items of a source, and an idle tick whenever no item arrived for `ms` milliseconds. Ends with the source
 * or as soon as the signal aborts.
 */
export async function* withIdleTicks<T>(
  source: AsyncIterable<T>,
  ms: number,
  signal: AbortSignal,
): AsyncGenerator<Tick<T>> {
  const items = source[Symbol.asyncIterator]();
  // Not Promise.race: a promise that outlives many races, like that of an abort, keeps the result of each in memory.
  let wake = () => {};
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      const next = new Arrival(items.next(), () => wake());
      while (!next.result && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          if (next.result || signal.aborted) wake();
        });
        if (!next.result && !signal.aborted) yield undefined;
      }
      if (signal.aborted) return;
      const { done, value } = await next.result!;
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    items.return?.()?.catch(() => {});
  }
}

/** What a promise has settled with; an error after the end of the reading is ignored. */
class Arrival<T> {
  /** Undefined until the promise is settled. */
  result: Promise<T> | undefined;

  constructor(promise: Promise<T>, settled: () => void) {
    const notice = () => {
      this.result = promise;
      settled();
    };
    promise.then(notice, notice);
  }
}
