/** The media type of a response that Accept asks for (RFC 9110, section 12.5.1). */

import { mediaTypes } from '../../contract/rows.js';
import type { Context } from '../state.js';

/**
 * States that the response depends on a header of the request. It is collected with the other headers, which `ctx.vary` would
 * not do: once a header was set alone, Node sets all others one by one too.
 */
export function varyBy({ state: { headers } }: Context, name: string): void {
  const others = headers.get('Vary');
  headers.set('Vary', others === undefined ? name : `${others}, ${name}`);
}

/** Ranges may have these parameters of text/csv and application/json, as in `text/csv; header=present`. */
const OFFERED = [`${mediaTypes.json}; charset=utf-8`, `${mediaTypes.csv}; charset=utf-8; header=present`];

/**
 * Whether the request prefers CSV to JSON: by quality, then by the order of the ranges. JSON is the answer to a request
 * without Accept, to a range that allows any type, and to ranges that allow neither.
 */
export function prefersCsv(ctx: Context): boolean {
  const { accept } = ctx.headers;
  // The most frequent values need no parser.
  if (accept === undefined || accept === '*/*' || accept === mediaTypes.json) return false;
  return ctx.accepts(OFFERED) === OFFERED[1];
}
