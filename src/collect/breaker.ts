/** Stops the calls to an endpoint that fails, and lets one call find out whether it answers again. */
import type { CallResult } from './call.js';

/** Faults in a row after which an endpoint rests. */
const MOST_FAULTS = 3;
const REST_MS = 60_000;

/** Closed without a fault; open after some in a row: then the next call is a trial, and stops the endpoint if it fails. */
export class Breaker {
  #faults: number;
  #isTried = false;

  /** @param faults In a row, of the calls before. */
  constructor(faults: number) {
    this.#faults = faults;
  }

  /** Whether the last call failed, so that the next one is sent by itself. */
  get isCautious(): boolean {
    return this.#faults > 0;
  }

  /** Whether a call may be sent now: of an open breaker one. */
  get takesCall(): boolean {
    return !this.#isTried;
  }

  /** @returns What follows from the result: how long nothing is sent, and whether nothing is sent at all. */
  async during<R extends CallResult>(
    send: () => Promise<R>,
  ): Promise<{ result: R; restMs: number; stops: boolean }> {
    const isTrial = this.#faults >= MOST_FAULTS;
    if (isTrial) this.#isTried = true;
    const result = await send().finally(() => {
      if (isTrial) this.#isTried = false;
    });
    const isFaulty = isFault(result);
    if (isFaulty) this.#faults++;
    else if (result.outcome !== 'not_charged') this.#faults = 0;
    const opens = isFaulty && !isTrial && this.#faults === MOST_FAULTS;
    // Of the calls that were in flight when it opened, one may have succeeded in the meantime.
    const stops = isFaulty && isTrial && this.#faults > MOST_FAULTS;
    return { result, restMs: opens ? REST_MS : 0, stops };
  }
}

/** Whether the endpoint failed, and not this one question. */
const isFault = ({ answer, cause }: CallResult): boolean =>
  answer === null && (cause === 'engine' || cause === 'network');
