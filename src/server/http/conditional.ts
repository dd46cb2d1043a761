/** Conditional requests (RFC 9110, section 13.1.2). */
import type { Context } from '../state.js';

/**
 * Whether If-None-Match names this validator, so that the response is 304. Koa's `fresh` is false for a request with
 * `Cache-Control: no-cache`, which is about caches in between: `fetch` adds it to every request with If-None-Match.
 */
export function isUnchanged({ headers }: Context, etag: string): boolean {
  const given = headers['if-none-match'];
  if (given === undefined) return false;
  return given.trim() === '*' || given.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}
