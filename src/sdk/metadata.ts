import type { KeyKind } from '../contract/keys.js';
import { headers } from '../contract/versions.js';

/** The key's bucket as the server stated it with a response. */
export interface RateLimit {
  /** Requests per minute, which is also what the bucket holds. */
  limit: number;
  /** Whole tokens left after this request. */
  remaining: number;
  /** Epoch seconds when the bucket is full again. */
  reset: number;
}

/** What a response says about itself in its headers; null: not stated. */
export interface ResponseMetadata {
  rateLimit: RateLimit | null;
  apiVersion: string | null;
  requestId: string | null;
  /** `full`, `read`, `ingest` or `operator`; stated whenever the server knows the key. */
  keyKind: KeyKind | (string & {}) | null;
}

/** A response's data with what its headers say. */
export interface WithResponse<T> extends ResponseMetadata {
  data: T;
}

export const noMetadata: ResponseMetadata = {
  rateLimit: null,
  apiVersion: null,
  requestId: null,
  keyKind: null,
};

/** Reads the headers of a response of any status. */
export function metadataOf(from: Headers): ResponseMetadata {
  return {
    rateLimit: rateLimitOf(from),
    apiVersion: from.get(headers.version),
    requestId: from.get(headers.requestId),
    keyKind: from.get(headers.keyKind),
  };
}

function rateLimitOf(from: Headers): RateLimit | null {
  const [limit, remaining, reset] = [headers.rateLimit, headers.rateRemaining, headers.rateReset].map(
    (name) => wholeNumber(from.get(name)),
  );
  return limit == null || remaining == null || reset == null ? null : { limit, remaining, reset };
}

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d+$/.test(text) ? Number(text) : null;

/**
 * Seconds that `Retry-After` asks to wait, as a number or as a date; null when it is absent or unreadable.
 * @param now Epoch milliseconds, for the date form.
 */
export function retryAfterSeconds(from: Headers, now = Date.now()): number | null {
  const text = from.get(headers.retryAfter);
  const seconds = wholeNumber(text);
  if (text === null || seconds !== null) return seconds;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
