import type { headers } from '../contract/versions.js';
import type { KeyKind } from './types.js';

/** The key's bucket as the server stated it with a response. */
export interface RateLimit {
  /** Requests per minute, which is also the capacity of the bucket. */
  limit: number;
  /** Whole tokens left after this request. */
  remaining: number;
  /** The time when the bucket is full again, in seconds since the epoch. */
  reset: number;
}

/** The data of the response headers; null: not stated. */
export interface ResponseMetadata {
  /** The key's bucket as the server stated it. */
  rateLimit: RateLimit | null;
  /** The version of the server's API. */
  apiVersion: string | null;
  /** The id by which the server's log knows the request. */
  requestId: string | null;
  /** `full`, `read`, `ingest` or `operator`; stated if the server knows the key. */
  keyKind: KeyKind | (string & {}) | null;
}

/** The data of a response with the data of its headers. */
export interface WithResponse<T> extends ResponseMetadata {
  /** The body of the response. */
  data: T;
}

/** The value of a header of the contract; null: the header is missing. */
const value = (from: Headers, name: (typeof headers)[keyof typeof headers]): string | null => from.get(name);

/** Reads the headers of a response of any status. */
export function metadataOf(from: Headers): ResponseMetadata {
  return {
    rateLimit: rateLimitOf(from),
    apiVersion: value(from, 'X-SVC-API-Version'),
    requestId: value(from, 'X-Request-Id'),
    keyKind: value(from, 'X-SVC-Key-Kind'),
  };
}

function rateLimitOf(from: Headers): RateLimit | null {
  const limit = wholeNumber(value(from, 'X-RateLimit-Limit'));
  const remaining = wholeNumber(value(from, 'X-RateLimit-Remaining'));
  const reset = wholeNumber(value(from, 'X-RateLimit-Reset'));
  return limit === null || remaining === null || reset === null ? null : { limit, remaining, reset };
}

const wholeNumber = (text: string | null): number | null => (/^\d+$/.test(`${text}`) ? Number(text) : null);

/** The wait that `Retry-After` states as a number or a date, in seconds; null: it is absent or invalid. */
export function retryAfterSeconds(from: Headers): number | null {
  const text = value(from, 'Retry-After') ?? '';
  const seconds = Math.ceil(Math.max(0, Date.parse(text) - Date.now()) / 1000);
  return wholeNumber(text) ?? (Number.isNaN(seconds) ? null : seconds);
}

/** A promise of the data, which can also return the data together with the response headers. */
export interface ApiPromise<T> extends Promise<T> {
  /** The data together with that of the response headers. */
  withResponse(): Promise<WithResponse<T>>;
}

/** The promise of the data of a response, which `withResponse` returns together with the headers. */
export function apiPromise<T>(answer: Promise<WithResponse<T>>): ApiPromise<T> {
  const data = answer.then((known) => known.data);
  const withResponse = () => {
    // A caller of withResponse gets the failure there. Nothing listens to `data` then, so its rejection must be
    // handled.
    data.catch(() => {});
    return answer;
  };
  return Object.assign(data, { withResponse });
}
