/** Enforces rules of HTTP for which Node would refuse without a body. */
import { errors } from '../../contract/errors.js';
import { headers } from '../../contract/versions.js';
import { refuse } from '../errors.js';
import { varyBy } from '../http/negotiation.js';
import type { Context } from '../state.js';

/** @throws 400 without a Host or with several, 417 for an unsupported Expect. They are rules of HTTP/1.1, not of 1.0. */
export function requireHttpRules(ctx: Context): void {
  const { headers, httpVersion, rawHeaders } = ctx.req;
  if (httpVersion !== '1.1') return;
  if (headers.host === undefined) {
    ctx.set('Connection', 'close');
    throw refuse(errors.missingHost());
  }
  const hosts = countOf('host', rawHeaders);
  if (hosts > 1) {
    ctx.set('Connection', 'close');
    throw refuse(errors.repeatedHost(hosts));
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    ctx.set('Connection', 'close');
    throw refuse(errors.unmetExpectation(headers.expect));
  }
}

/** How often a header was sent. Node's `headers` has the first Host alone. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at]!;
    if (each.length === name.length && each.toLowerCase() === name) count++;
  }
  return count;
}

// CORS for the Origins that the operator lists. Without a list, responses have no CORS headers.

const EXPOSED = Object.values(headers).join(', ');
const METHODS = 'GET, HEAD, POST';
const PREFLIGHT_SECONDS = '600';

/** Returns a function that sets the CORS headers of a response, and returns whether the request was a preflight and is done. */
export function cors(allowedOrigins: ReadonlySet<string>): (ctx: Context) => boolean {
  if (allowedOrigins.size === 0) return () => false;
  return (ctx) => {
    varyBy(ctx, 'Origin');
    const origin = ctx.get('Origin');
    if (!allowedOrigins.has(origin)) return false;
    ctx.state.headers.set('Access-Control-Allow-Origin', origin);
    ctx.state.headers.set('Access-Control-Expose-Headers', EXPOSED);
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return false;
    ctx.set('Access-Control-Allow-Methods', METHODS);
    ctx.set('Access-Control-Allow-Headers', ctx.get('Access-Control-Request-Headers') || 'Authorization');
    ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    ctx.status = 204;
    return true;
  };
}
