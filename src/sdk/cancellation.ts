import type { Clock } from './clock.js';

/** A signal with a time limit. `release` must be called: it drops the timer and the listener. */
export interface Guard {
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * A signal that aborts when `parent` does, with its reason, or after `ms` milliseconds with what `reason` makes.
 * AbortSignal.any and AbortSignal.timeout would do, but both keep their sources alive for as long as a
 * caller's own long-lived signal lives.
 */
export function guard(
  clock: Clock,
  parent: AbortSignal | undefined,
  ms: number | undefined,
  reason: () => unknown,
): Guard {
  const controller = new AbortController();
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow, { once: true });
  if (ms !== undefined && ms <= 0) controller.abort(reason());
  const cancelTimer = ms === undefined ? undefined : clock.after(ms, () => controller.abort(reason()));
  const release = () => {
    cancelTimer?.();
    parent?.removeEventListener('abort', follow);
  };
  return { signal: controller.signal, release };
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it aborts. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason if it aborts before. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancel: (() => void) | undefined;
  const elapsed = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  return unlessAborted(signal, elapsed).finally(cancel);
}
