/** Finds workers whose event loop hangs. They neither end nor answer, so nothing else would replace them. */

export interface WatchTimes {
  /** How often a worker gives a sign of life, and how often the primary process looks for it. */
  readonly lookMs: number;
  /** After so many looks in a row without a sign a worker hangs. */
  readonly mostMissed: number;
}

/** A minute: no request blocks a worker for a second. */
export const WATCH_TIMES: WatchTimes = { lookMs: 5000, mostMissed: 12 };

/**
 * Counts looks and not time, so that a machine that was suspended has missed one. A look that is late does not count: if
 * the primary process had to wait for a processor, so had the workers.
 */
export class Watchdog {
  readonly #times: WatchTimes;
  /** Looks without a sign since the last one, by the number of the worker. */
  readonly #missed = new Map<number, number>();
  #lastLook: number | undefined;

  constructor(times: WatchTimes = WATCH_TIMES) {
    this.#times = times;
  }

  /** Takes a sign of life. A worker is watched from its first one: a start may take any time. */
  sign(worker: number): void {
    this.#missed.set(worker, 0);
  }

  /** Stops watching a worker, which ended. */
  forget(worker: number): void {
    this.#missed.delete(worker);
  }

  /** The workers that hang. @param now In milliseconds, of a clock that is never set. */
  look(now: number): number[] {
    const isLate = this.#lastLook !== undefined && now - this.#lastLook > 2 * this.#times.lookMs;
    this.#lastLook = now;
    if (isLate) return [];
    for (const [worker, missed] of this.#missed) this.#missed.set(worker, missed + 1);
    return [...this.#missed].flatMap(([worker, missed]) => (missed > this.#times.mostMissed ? [worker] : []));
  }
}
