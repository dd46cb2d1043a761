/** The gates of a request, one each, in the order of the contract. Each refuses or lets through. */
import { errors, type Refusal } from '../../contract/errors.js';
import { keyKinds } from '../../contract/keys.js';
import { type Plan, planAtLeast } from '../../contract/plans.js';
import type { Read } from '../../contract/read.js';
import type { Access } from '../accounts/access.js';
import { isAllowed, plainAddress } from '../accounts/allowlist.js';
import type { Directory } from '../accounts/directory.js';
import { requireBrand } from '../accounts/find-brand.js';
import type { Clock } from '../clock.js';
import { refuse } from '../errors.js';
import type { Buckets, Surface } from '../limits/buckets.js';
import { retryAfter } from '../limits/token-bucket.js';
import type { Middleware } from '../state.js';
import { setRateHeaders } from './identify-key.js';

/** 405 before anything else; it costs no token. */
export const requireMethod =
  (allowed: readonly string[]): Middleware =>
  (ctx, next) => {
    if (!allowed.includes(ctx.method)) throw refuse(errors.methodNotAllowed(ctx.method, allowed));
    return next();
  };

/** 503 while the deployment has no operator key. */
export const requireEnabled =
  (enabled: boolean, refusal: () => Refusal): Middleware =>
  (_, next) => {
    if (!enabled) throw refuse(refusal());
    return next();
  };

/** 401 without a known key that has not expired. */
export const requireKey =
  (clock: Clock): Middleware =>
  (ctx, next) => {
    const { access, lookUpError } = ctx.state;
    if (lookUpError !== undefined) throw lookUpError;
    if (!access) throw refuse(errors.unauthorized());
    if (access.expiresAt && access.expiresAt <= clock())
      throw refuse(errors.keyExpired(lastDay(access.expiresAt)));
    return next();
  };

/** The last day on which a key worked: an expiry by bare date is stored as the midnight after it. */
const lastDay = (expiresAt: Date): string => new Date(expiresAt.getTime() - 1).toISOString().slice(0, 10);

/** 403 from an address that is not on the key's allowlist: before the meter, so a stolen key drains no bucket. */
export const requireAddress: Middleware = (ctx, next) => {
  const address = plainAddress(ctx.ip);
  if (!isAllowed(address, ctx.state.access!.allow)) throw refuse(errors.addressNotAllowed(address));
  return next();
};

/** 429 when the key's bucket is empty; otherwise one token is taken. */
export const meter =
  (buckets: Buckets, surface: Surface): Middleware =>
  async (ctx, next) => {
    const bucket = await buckets.take(surface, ctx.state.access!.keyId);
    ctx.state.metered = true;
    setRateHeaders(ctx, bucket);
    if (!bucket.granted) throw refuse(errors.rateLimited(retryAfter(bucket)));
    return next();
  };

/** 403 for a key that may not read. */
export const requireReader: Middleware = (ctx, next) => {
  if (!keyKinds[ctx.state.access!.kind].reads) throw refuse(errors.ingestOnly());
  return next();
};

/** 403 for a key that may not ship logs. */
export const requireShipper: Middleware = (ctx, next) => {
  if (!keyKinds[ctx.state.access!.kind].ingest) throw refuse(errors.readOnly());
  return next();
};

/** 404 for an unknown resource, after the key was checked. */
export const unknownResource =
  (names: readonly string[]): Middleware =>
  () => {
    throw refuse(errors.unknownResource(names));
  };

/** 403 if the workspace's plan is too low. The operator has no workspace and no plan. */
export const requirePlan =
  (minimum: Plan | undefined, subject: string): Middleware =>
  (ctx, next) => {
    requirePlanFor(ctx.state.access!, minimum, subject);
    return next();
  };

/** @throws 403 if the plan of the caller's workspace is below `minimum`. */
export function requirePlanFor({ plan }: Access, minimum: Plan | undefined, subject: string): void {
  if (minimum && plan && !planAtLeast(plan, minimum)) throw refuse(errors.planTooLow(subject, minimum, plan));
}

/** 404 for a brand that the caller cannot see, for any reason. A repeated `brand` is refused with the parameters. */
export const requireVisibleBrand =
  (directory: Directory, resource: Pick<Read, 'params' | 'needsRuns'>): Middleware =>
  async (ctx, next) => {
    const given = 'brand' in resource.params ? ctx.query.brand : undefined;
    const answer = await directory.brand(ctx.state.access!, Array.isArray(given) ? undefined : given);
    ctx.state.brand = requireBrand(answer, resource.needsRuns);
    return next();
  };
