import type { Clock } from './clock.js';
import { TimeoutError } from './errors.js';

/**
 * Calls `use` with a signal that aborts with `parent`, or after `ms` milliseconds with a TimeoutError. Settles like
 * `use`, or rejects as soon as the signal aborts, without waiting for `use`. AbortSignal.any and AbortSignal.timeout
 * are not used, because they keep their sources in memory as long as the caller's own signal.
 */
export function within<T>(
  clock: Clock,
  parent: AbortSignal | undefined,
  ms: number | undefined,
  late: string,
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const follow = () => controller.abort(parent?.reason);
  const stop = () => controller.abort(new TimeoutError(late));
  if (parent?.aborted) follow();
  // Without a limit this is false, too.
  if (ms! <= 0) stop();
  parent?.addEventListener('abort', follow);
  const cancelTimer = ms === undefined ? undefined : clock.after(ms, stop);
  return unlessAborted(controller.signal, use(controller.signal)).finally(() => {
    cancelTimer?.();
    parent?.removeEventListener('abort', follow);
  });
}

/** Settles like `promise`, or rejects with the signal's reason as soon as the signal aborts. */
export function unlessAborted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
  });
}
