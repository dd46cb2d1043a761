/** Pauses all calls of an endpoint while it asks to wait. */
import { setTimeout as sleep } from 'node:timers/promises';

export class Pacing {
  #until = 0;
  #waited = 0;

  /** Milliseconds that calls of the endpoint had to wait in total. */
  get waitedMs(): number {
    return this.#waited;
  }

  /** The time until which no call is sent, in milliseconds of the clock. */
  get until(): number {
    return this.#until;
  }

  /** No call is sent for this long. */
  pause(milliseconds: number): void {
    const until = Date.now() + milliseconds;
    if (until <= this.#until) return;
    this.#waited += until - Math.max(this.#until, Date.now());
    this.#until = until;
  }

  /** Waits until calls may be sent. Returns early when the signal is aborted. */
  async ready(signal: AbortSignal): Promise<void> {
    for (;;) {
      const rest = this.#until - Date.now();
      if (rest <= 0 || signal.aborted) return;
      await sleep(Math.min(rest, 2 ** 31 - 1), undefined, { signal }).catch(() => undefined);
    }
  }
}
