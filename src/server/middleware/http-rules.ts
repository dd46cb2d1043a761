/** Enforces rules of HTTP for which Node would refuse without a body. */
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';
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
