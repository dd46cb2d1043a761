/**
 * The time in which an embedded database accepts no changes, because a copy that another process changes is to replace it.
 * Requests that may change something wait here.
 */
import { setTimeout } from 'node:timers/promises';

/** Clients give a request 30 seconds. */
export const MAX_WAIT_MS = 20_000;

export class ChangePause {
  #over: Promise<void> | null = null;
  #end: () => void = () => {};

  get isOn(): boolean {
    return this.#over !== null;
  }

  begin(): void {
    this.#over ??= new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  end(): void {
    this.#over = null;
    this.#end();
  }

  /** Waits until changes are accepted, and at most `ms`. */
  async wait(ms: number): Promise<void> {
    const timer = new AbortController();
    const late = setTimeout(ms, undefined, { signal: timer.signal }).catch(() => undefined);
    for (let isLate = false; this.#over !== null && !isLate; )
      isLate = await Promise.race([this.#over.then(() => false), late.then(() => true)]);
    timer.abort();
  }
}
