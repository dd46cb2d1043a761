import { RATE_LIMIT } from '../../../src/contract/limits.js';
import { headers } from '../../../src/contract/versions.js';

/** The server's side of the rate limit, by the contract's words: refill goes on continuously up to the capacity. */
export class ServerBucket {
  refused = 0;
  readonly #now: () => number;
  #level: number;
  #at: number;

  /** @param now Milliseconds. @param level Tokens to begin with. */
  constructor(now: () => number, level: number = RATE_LIMIT.perMinute) {
    this.#now = now;
    this.#level = level;
    this.#at = now();
  }

  /** Takes a token if there is one; the headers that the response carries either way. */
  take(): { allowed: boolean; headers: Record<string, string> } {
    const now = this.#now();
    const gained = ((now - this.#at) / 1000) * RATE_LIMIT.refillPerSecond;
    this.#level = Math.min(RATE_LIMIT.perMinute, this.#level + gained);
    this.#at = now;
    const allowed = this.#level >= 1;
    if (allowed) this.#level -= 1;
    else this.refused += 1;
    const untilFull = (RATE_LIMIT.perMinute - this.#level) / RATE_LIMIT.refillPerSecond;
    const untilNext = Math.max(1, Math.ceil((1 - this.#level) / RATE_LIMIT.refillPerSecond));
    return {
      allowed,
      headers: {
        [headers.rateLimit]: String(RATE_LIMIT.perMinute),
        [headers.rateRemaining]: String(Math.floor(this.#level)),
        [headers.rateReset]: String(Math.ceil(now / 1000 + untilFull)),
        ...(!allowed && { [headers.retryAfter]: String(untilNext) }),
      },
    };
  }
}
