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

const wholeNumber = (text: string | null): number | null => (/^\d+$/.test(`${text}`) ? Number(text) : null);

/** Seconds that `Retry-After` asks to wait, as a number or as a date; null when it is absent or unreadable. */
export function retryAfterSeconds(from: Headers): number | null {
  const text = from.get(headers.retryAfter) ?? '';
  const seconds = Math.ceil(Math.max(0, Date.parse(text) - Date.now()) / 1000);
  return wholeNumber(text) ?? (Number.isNaN(seconds) ? null : seconds);
}
