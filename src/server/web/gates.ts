/** The gates of a request, in the order of the contract. Each refuses or lets through. */

import { errors, type Refusal } from '../../contract/errors.js';
import { type KeyUse, keyKinds, type Lane } from '../../contract/keys.js';
import { RATE_LIMIT } from '../../contract/limits.js';
import type { Read } from '../../contract/read.js';
import { headers } from '../../contract/versions.js';
import { type Access, type Brand, isAllowed, plainAddress, requireBrand } from '../accounts/access.js';
import type { Directory } from '../accounts/directory.js';
import type { RawParams } from '../answers/parameters.js';
import type { Clock } from '../base/clock.js';
import { refuse } from '../base/errors.js';
import {
  type BucketState,
  type Buckets,
  fullAt,
  type RateState,
  remaining,
  retryAfter,
} from './limits/buckets.js';
import type { WrongKeys } from './limits/wrong-keys.js';
import type { Context } from './state.js';

const BEARER = /^bearer +(\S+) *$/i;
/** More than any key has. A longer secret is unknown without hashing it. */
const MAX_SECRET_LENGTH = 1024;

/** The secret in the Authorization header; undefined if there is none, or one that no key can be. */
export function bearerSecret({ req: { headers } }: Context): string | undefined {
  const secret = BEARER.exec(headers.authorization ?? '')?.[1];
  return secret !== undefined && secret.length <= MAX_SECRET_LENGTH ? secret : undefined;
}

/** The access of the request's key; null if it is unknown, undefined if the request has none. */
async function identifyKey(
  directory: Directory,
  ctx: Context,
  onLookUp: () => void,
): Promise<Access | null | undefined> {
  const secret = bearerSecret(ctx);
  return secret === undefined ? undefined : directory.identify(secret, onLookUp);
}

export interface GateEnvironment {
  readonly clock: Clock;
  readonly directory: Directory;
  readonly buckets: Buckets;
  readonly wrongKeys: WrongKeys;
  /** Whether the deployment has an operator key; without one the API is off, and no key is looked up. */
  readonly enabled: boolean;
}

/** What differs between routes. */
export interface GateOptions {
  /** The bucket that the request uses, which is also what the key must allow; if omitted, reads. */
  readonly lane?: Lane;
  /** What the key must allow, if it is not what the bucket is of. */
  readonly needs?: KeyUse;
  /** Checks before those of the key; they cost no token. */
  readonly checks: readonly ((ctx: Context) => void)[];
  /** The refusal while the API is off, if it has words of its own. */
  readonly disabled?: () => Refusal;
  /** Looks up the key of the request; if omitted, that of the Authorization header. Undefined if the request has none. */
  readonly identify?: (
    directory: Directory,
    ctx: Context,
    onLookUp: () => void,
  ) => Promise<Access | null | undefined>;
}

/**
 * Passes a request through the gates of every route: the route's own checks, API enabled, key, expiry, address, rate
 * limit, kind of key. Every response to a known key has its kind and the state of its bucket, refusals too.
 * @throws RefusedError of the first gate that refuses.
 */
export async function passGates(
  env: GateEnvironment,
  ctx: Context,
  {
    checks,
    lane = 'reads',
    needs = lane,
    disabled = errors.apiDisabled,
    identify = identifyKey,
  }: GateOptions,
): Promise<Access> {
  let access: Access | null = null;
  let lookUpError: unknown;
  try {
    if (env.enabled) {
      let isLookedUp = false;
      const found = await identify(env.directory, ctx, () => {
        isLookedUp = true;
      });
      env.wrongKeys.check(() => plainAddress(ctx.ip), found, isLookedUp);
      access = found ?? null;
    }
  } catch (error) {
    lookUpError = error;
  }
  if (access) {
    ctx.state.keyId = access.keyId;
    ctx.state.headers.set(headers.keyKind, access.kind);
  }
  let bucket: RateState;
  try {
    for (const check of checks) check(ctx);
    if (!env.enabled) throw refuse(disabled());
    if (lookUpError !== undefined) throw lookUpError;
    if (!access) throw refuse(errors.unauthorized());
    requireUnexpired(access, env.clock);
    requireAddress(access, ctx);
    bucket = await env.buckets.take(lane, access.keyId);
  } catch (error) {
    if (access) setRateHeaders(ctx, await env.buckets.peek(lane, access.keyId));
    throw error;
  }
  setRateHeaders(ctx, bucket);
  if (!bucket.granted) throw refuse(errors.rateLimited(retryAfter(bucket)));
  requireKind(access, needs);
  return access;
}

/** 401 for an expired key. It names the last day: an expiry by bare date is stored as the midnight after it. */
function requireUnexpired({ expiresAt }: Access, clock: Clock): void {
  if (expiresAt === null || expiresAt > clock()) return;
  throw refuse(errors.keyExpired(new Date(expiresAt.getTime() - 1).toISOString().slice(0, 10)));
}

/** 403 from an address that is not on the key's allowlist: before the rate limit, so a stolen key drains no bucket. */
function requireAddress({ allow }: Access, ctx: Context): void {
  if (allow === null) return;
  const address = plainAddress(ctx.ip);
  if (!isAllowed(address, allow)) throw refuse(errors.addressNotAllowed(address));
}

export function setRateHeaders({ state }: Context, bucket: BucketState): void {
  state.headers
    .set(headers.rateLimit, String(RATE_LIMIT.perMinute))
    .set(headers.rateRemaining, String(remaining(bucket)))
    .set(headers.rateReset, String(fullAt(bucket)));
}

/** 403 for a key that may not read, or not ship logs, or does not belong in an address. */
function requireKind({ kind }: Access, needs: KeyUse): void {
  if (keyKinds[kind][needs]) return;
  if (needs === 'feed') throw refuse(errors.notForAddresses(kind));
  if (keyKinds[kind].feed) throw refuse(errors.feedOnly());
  throw refuse(needs === 'reads' ? errors.ingestOnly() : errors.readOnly());
}

/** 404 for a brand that the caller cannot see, for any reason. A repeated `brand` is refused with the parameters. */
export async function visibleBrand(
  directory: Directory,
  access: Access,
  { params, needsRuns }: Pick<Read, 'params' | 'needsRuns'>,
  query: RawParams,
): Promise<Brand> {
  const id = 'brand' in params ? query.brand : undefined;
  return requireBrand(await directory.brand(access, Array.isArray(id) ? undefined : id), needsRuns);
}
