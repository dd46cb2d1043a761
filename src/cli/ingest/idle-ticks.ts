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
  const stopped = new Promise<'stop'>((resolve) => {
    if (signal.aborted) resolve('stop');
    signal.addEventListener('abort', () => resolve('stop'), { once: true });
  });
  let next: Promise<IteratorResult<T>> | undefined;
  try {
    while (!signal.aborted) {
      next ??= items.next();
      const received = await firstOf(next, stopped, ms);
      if (received === 'stop') return;
      if (received === 'tick') yield undefined;
      else if (received.done) return;
      else {
        next = undefined;
        yield received.value;
      }
    }
  } finally {
    // An error after the end has no handler.
    next?.catch(() => {});
    items.return?.()?.catch(() => {});
  }
}

async function firstOf<T>(
  next: Promise<IteratorResult<T>>,
  stopped: Promise<'stop'>,
  ms: number,
): Promise<IteratorResult<T> | 'stop' | 'tick'> {
  let timer: NodeJS.Timeout | undefined;
  const tick = new Promise<'tick'>((resolve) => {
    timer = setTimeout(resolve, ms, 'tick');
  });
  try {
    return await Promise.race([next, stopped, tick]);
  } finally {
    clearTimeout(timer);
  }
}
