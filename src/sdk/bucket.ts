import type { RATE_LIMIT } from '../contract/limits.js';
import { type Clock, systemClock } from './clock.js';
import type { RateLimit } from './metadata.js';

/** A request that took a token and is not answered yet. */
export interface Ticket {
  readonly sentAt: number;
  /** How many requests were answered before this one was sent. */
  readonly answeredBefore: number;
}

/** Lets a request go. */
type Grant = (ticket: Ticket) => void;

/** Of a bucket whose server has not stated another. */
const CAPACITY: (typeof RATE_LIMIT)['perMinute'] = 120;
/** The server's clock may count in whole milliseconds; a refill that begins this much later is never ahead of it. */
const CLOCK_GRAIN_MS = 10;
const LARGEST_BACKOFF = 8;
/**
 * Tokens left at the server on purpose. Without them a caller who sends at the very moment of each refill would
 * leave nothing for another process on the same key, whose every request would be refused.
 */
const RESERVE = 1;

/**
 * The caller's image of the key's token bucket at the server. Tokens are held from the sending and spent at the answer:
 * the server spends somewhere between, so the image never shows more than the server has, and a caller alone
 * on its key meets no 429. What others take shows in the headers and lowers the image.
 */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #waiting: Grant[] = [];
  /** Calls that were refused; they go first, in turn, so that no call meets refusal after refusal. */
  readonly #refused: Grant[] = [];
  #capacity: number = CAPACITY;
  #level: number = CAPACITY;
  /** When `#level` was true; refill counts from here, which may be a little ahead. */
  #at: number;
  /** Nothing is sent before this time, because the server refused. */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #inFlight = 0;
  #answered = 0;
  #refusals = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  /**
   * Waits for a token, first come first served; calls sent `again` go before those that were never sent.
   * Rejects with the signal's reason. Every ticket must come back by `spend` or `refuse`.
   */
  take(signal: AbortSignal, again = false): Promise<Ticket> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const queue = again ? this.#refused : this.#waiting;
      const leave = () => {
        queue.splice(queue.indexOf(grant), 1);
        reject(signal.reason);
      };
      const grant = (ticket: Ticket) => {
        signal.removeEventListener('abort', leave);
        resolve(ticket);
      };
      signal.addEventListener('abort', leave);
      queue.push(grant);
      this.#serve();
    });
  }

  /** The request was answered, or failed after it may have reached the server. */
  spend(ticket: Ticket, stated: RateLimit | null): void {
    const now = this.#settle();
    if (this.#level === this.#capacity) this.#at = Math.max(this.#at, now + CLOCK_GRAIN_MS);
    this.#level -= 1;
    if (stated) this.#adopt(stated, ticket, now);
    this.#answered += 1;
    this.#refusals = 0;
    this.#serve();
  }

  /**
   * The server answered 429, which costs no token: nothing is sent for `ms` milliseconds, longer each time that
   * a request sent after the last refusal is refused too (somebody else uses the key), then one request.
   * @returns Milliseconds until something is sent again.
   */
  refuse(ticket: Ticket, ms: number): number {
    const now = this.#settle();
    this.#answered += 1;
    if (ticket.sentAt >= this.#refusedAt) {
      this.#refusals += 1;
      this.#refusedAt = now;
    }
    this.#level = Math.min(this.#level, this.#inFlight + this.#needed);
    const pause = ms * Math.min(2 ** (this.#refusals - 1), LARGEST_BACKOFF);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    this.#at = Math.max(this.#at, this.#pausedUntil);
    this.#serve();
    return this.#pausedUntil - now;
  }

  /** Free tokens that a request needs. */
  get #needed(): number {
    return Math.min(1 + RESERVE, this.#capacity);
  }

  /** The whole bucket refills in a minute. */
  get #perMs(): number {
    return this.#capacity / 60_000;
  }

  #settle(): number {
    this.#refill();
    this.#inFlight -= 1;
    return this.#clock.now();
  }

  #refill(): void {
    const now = this.#clock.now();
    if (now <= this.#at) return;
    this.#level = Math.min(this.#capacity, this.#level + (now - this.#at) * this.#perMs);
    this.#at = now;
  }

  /**
   * What is free, kept between what the server must have left and what it stated. Stated are whole tokens, so the
   * fraction is given away; a caller alone on its key does not feel it, because the reserve is still there.
   */
  #adopt({ limit, remaining }: RateLimit, ticket: Ticket, now: number): void {
    if (limit > 0) this.#capacity = limit;
    const least = remaining - this.#inFlight - (this.#answered - ticket.answeredBefore);
    const most = remaining + (now - ticket.sentAt) * this.#perMs;
    const free = Math.max(least, Math.min(this.#level - this.#inFlight, most));
    this.#level = Math.min(this.#capacity, free + this.#inFlight);
  }

  #serve(): void {
    this.#cancelTimer?.();
    this.#refill();
    const now = this.#clock.now();
    while (now >= this.#pausedUntil && this.#level - this.#inFlight >= this.#needed) {
      const next = this.#refused.shift() ?? this.#waiting.shift();
      if (!next) return;
      this.#inFlight += 1;
      next({ sentAt: now, answeredBefore: this.#answered });
    }
    // With everything in flight no time brings a token; the next answer comes back here.
    const idle = this.#refused.length + this.#waiting.length === 0;
    if (idle || this.#capacity - this.#inFlight < this.#needed) return;
    const missing = (this.#needed - (this.#level - this.#inFlight)) / this.#perMs;
    const ready = Math.max(this.#pausedUntil, missing > 0 ? this.#at + missing : now);
    this.#cancelTimer = this.#clock.after(Math.max(1, ready - now), () => this.#serve());
  }
}
