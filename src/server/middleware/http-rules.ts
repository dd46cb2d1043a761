/** Enforces rules of HTTP for which Node would refuse without a body. */
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';
import type { Context } from '../state.js';

/** @throws 400 without a Host, 417 for an unsupported Expect. Both are rules of HTTP/1.1, not of 1.0. */
export function requireHttpRules(ctx: Context): void {
  const { headers, httpVersion } = ctx.req;
  if (httpVersion !== '1.1') return;
  if (headers.host === undefined) {
    ctx.set('Connection', 'close');
    throw refuse(errors.missingHost());
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    ctx.set('Connection', 'close');
    throw refuse(errors.unmetExpectation(headers.expect));
  }
}
