/** What came, or undefined: nothing did for a while. */
export type Tick<T> = T | undefined;

/**
 * The items of a source, and a tick whenever none came for `ms` milliseconds. Ends with the source or the signal; a
 * source that is waiting is then left behind.
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
      const came = await firstOf(next, stopped, ms);
      if (came === 'stop') return;
      if (came === 'tick') yield undefined;
      else if (came.done) return;
      else {
        next = undefined;
        yield came.value;
      }
    }
  } finally {
    // Its failure is nobody's any more.
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
