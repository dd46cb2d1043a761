import type { RATE_LIMIT } from '../contract/limits.js';
import type { RateLimit } from './response.js';

/** The clock of the SDK. Tests replace it by a faster one. */
export interface Clock {
  /** Milliseconds; never decreases. */
  now(): number;
  /** Runs `callback` once after `ms` milliseconds; the returned function cancels that. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay of setTimeout. With a longer one, the callback runs immediately. */
export const MAX_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** A request that has taken a token and has no response yet. */
export interface Ticket {
  readonly sentAt: number;
  /** The number of responses that arrived before this request was sent. */
  readonly answeredBefore: number;
}

/** Allows a waiting request to be sent. */
type Grant = (ticket: Ticket) => void;

/** The capacity until the server states another one. */
const CAPACITY: (typeof RATE_LIMIT)['perMinute'] = 120;
/**
 * The server's clock may count whole milliseconds. A refill that begins this much later is never ahead of the server.
 */
const CLOCK_GRAIN_MS = 10;
const MAX_BACKOFF = 8;
/**
 * Tokens that are never used. Without them, a client that sends at the moment of each refill leaves no token for
 * another process with the same key, and the server refuses every request of that process.
 */
const RESERVE = 1;

/**
 * The client's copy of the key's token bucket at the server. A token is reserved when a request is sent and spent when
 * its response arrives. The server spends it in between, so the copy never has more tokens than the server, and a
 * client that is the only user of its key gets no 429. The response headers show tokens that others took.
 */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #waiting: Grant[] = [];
  /** Calls that the server refused. They are sent first, in order, so that no call is refused again and again. */
  readonly #refused: Grant[] = [];
  #capacity: number = CAPACITY;
  #level: number = CAPACITY;
  /**
   * The time for which `#level` is correct. The refill is computed from here; the time may be slightly in the future.
   */
  #at: number;
  /** Nothing is sent before this time, because the server refused a request. */
  #pausedUntil = -Infinity;
  #inFlight = 0;
  #answered = 0;
  #refusals = 0;
  #refusedAt = -Infinity;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  /**
   * Waits for a token, first come first served; calls sent `again` precede calls that were never sent.
   * Rejects with the signal's reason. Every ticket must be returned by `spend` or `refuse`.
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

  /** Spends the token of a request that got a response, or that failed after it may have reached the server. */
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
   * Returns the token of a request with status 429, which costs none, and sends nothing for `ms` milliseconds, then one
   * request. If the server refuses a request that was sent after the last refusal, another process uses the key, and
   * the pause becomes longer each time.
   * @returns Milliseconds until the next request is sent.
   */
  refuse(ticket: Ticket, ms: number): number {
    const now = this.#settle();
    this.#answered += 1;
    if (ticket.sentAt >= this.#refusedAt) {
      this.#refusals += 1;
      this.#refusedAt = now;
    }
    this.#level = Math.min(this.#level, this.#inFlight + this.#needed);
    const pause = ms * Math.min(2 ** (this.#refusals - 1), MAX_BACKOFF);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    this.#at = Math.max(this.#at, this.#pausedUntil);
    this.#serve();
    return this.#pausedUntil - now;
  }

  /** The number of free tokens that allows a request. */
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
   * Limits the free tokens by the response headers: at least what the server must have left, at most what it stated
   * plus the refill since. The server states whole tokens, so a fraction is lost; the reserve is larger, so a client
   * that is the only user of its key is not slowed down.
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
    // If all tokens are in flight, no refill can free one, so no timer is needed: the next response calls this again.
    const idle = this.#refused.length + this.#waiting.length === 0;
    if (idle || this.#capacity - this.#inFlight < this.#needed) return;
    const missing = (this.#needed - (this.#level - this.#inFlight)) / this.#perMs;
    const ready = Math.max(this.#pausedUntil, missing > 0 ? this.#at + missing : now);
    this.#cancelTimer = this.#clock.after(Math.max(1, ready - now), () => this.#serve());
  }
}

/** The server has two buckets per key: one for reads and MCP, one for the ingest of crawler logs. */
export type Lane = 'reads' | 'ingest';

/** Buckets by clock, because a bucket works with one clock only. */
const buckets = new WeakMap<Clock, Map<string, TokenBucket>>();

/**
 * Returns the bucket of a key at a server. All clients of this process with the same key share it, as they share the
 * server's bucket.
 */
export function bucketOf(clock: Clock, lane: Lane, baseUrl: string, apiKey: string): TokenBucket {
  const known = buckets.get(clock) ?? new Map<string, TokenBucket>();
  buckets.set(clock, known);
  const id = JSON.stringify([lane, baseUrl, apiKey]);
  const bucket = known.get(id) ?? new TokenBucket(clock);
  known.set(id, bucket);
  return bucket;
}
