/**
 * Looks up the key of a request and sets the headers of every response to a known key: its kind and the state of its
 * bucket. It refuses nothing: the gates do, in their order.
 */

import { RATE_LIMIT } from '../../contract/limits.js';
import { headers } from '../../contract/versions.js';
import type { Directory } from '../accounts/directory.js';
import type { Buckets } from '../limits/buckets.js';
import { fullAt, remaining } from '../limits/token-bucket.js';
import type { BucketState } from '../queries/rate-buckets.js';
import type { Context, Middleware } from '../state.js';

const BEARER = /^bearer +(\S+) *$/i;
/** Longer than any key. A longer secret is unknown without hashing it. */
const LONGEST_SECRET = 1024;

export function identifyKey(directory: Directory, buckets: Buckets, enabled: boolean): Middleware {
  return async (ctx, next) => {
    ctx.state.access = null;
    const secret = BEARER.exec(ctx.get('Authorization'))?.[1];
    if (!enabled || secret === undefined || secret.length > LONGEST_SECRET) return next();
    try {
      ctx.state.access = await directory.identify(secret);
    } catch (error) {
      ctx.state.lookUpError = error;
    }
    const { access } = ctx.state;
    if (!access) return next();
    ctx.set(headers.keyKind, access.kind);
    try {
      await next();
    } finally {
      // The meter has set them already, unless an earlier gate refused.
      if (!ctx.state.metered) setRateHeaders(ctx, await buckets.peek(ctx.state.surface, access.keyId));
    }
  };
}

export function setRateHeaders(ctx: Context, bucket: BucketState): void {
  ctx.set(headers.rateLimit, String(RATE_LIMIT.perMinute));
  ctx.set(headers.rateRemaining, String(remaining(bucket)));
  ctx.set(headers.rateReset, String(fullAt(bucket)));
}
