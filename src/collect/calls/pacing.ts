/** Pauses all calls of an endpoint while it asks to wait. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export class Pacing {
  /** Monotonic, because the clock of the machine may be set. */
  #until = 0;

  /** No call is sent for this long. */
  pause(milliseconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + milliseconds);
  }

  /** Waits until calls may be sent. Returns early when the signal is aborted. */
  async ready(signal: AbortSignal): Promise<void> {
    for (;;) {
      const rest = this.#until - performance.now();
      if (rest <= 0 || signal.aborted) return;
      await sleep(rest, undefined, { signal }).catch(() => undefined);
    }
  }
}
