import { type Clock, systemClock } from '../../../src/sdk/pacing.js';

/** Real time, `speed` times as fast, so that a minute of pacing takes a fraction of a second. */
export const fastClock = (speed: number): Clock => ({
  now: () => systemClock.now() * speed,
  after: (ms, callback) => systemClock.after(ms / speed, callback),
});

/** Time that stands still until `run` moves it from timer to timer. */
export class VirtualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  now = () => this.#now;

  after = (ms: number, callback: () => void) => {
    const timer = { at: this.#now + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** Moves on until no timer is left or `until` has come. */
  async run(until = Number.POSITIVE_INFINITY): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (!next || next.at > until) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    if (Number.isFinite(until)) this.#now = until;
  }
}
