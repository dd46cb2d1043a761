/** What a link shows to people without a key: its gates, and the slice that a viewer may choose. */

import { errors } from '../../../contract/errors.js';
import { type Access, type Brand, plainAddress, requireBrand } from '../../accounts/access.js';
import { accessOf, type ShareRow, type Shares } from '../../accounts/shares.js';
import type { RawParams } from '../../answers/parameters.js';
import { refuse } from '../../base/errors.js';
import { type GateEnvironment, setRateHeaders } from '../gates.js';
import { requireRead } from '../http/routing.js';
import { retryAfter } from '../limits/buckets.js';
import type { Context } from '../state.js';
import type { LinkFilters } from './shared-reads.js';
import { filterNames, type Slice, sliceOf, withFilter } from './slice.js';

export interface SharesEnvironment extends GateEnvironment {
  readonly shares: Shares;
}

interface Shared {
  readonly share: ShareRow;
  readonly access: Access;
  readonly brand: Brand;
}

/**
 * Passes a request through the gates of a link: method, API enabled, token, its key, its brand, its own rate limit.
 * @throws 404 for a link that does not work, whatever the reason; 429 for an address that has sent too many of them.
 */
export async function passShared(env: SharesEnvironment, ctx: Context): Promise<Shared> {
  requireRead(ctx);
  if (!env.enabled) throw refuse(errors.apiDisabled());
  const address = plainAddress(ctx.ip);
  let isLookedUp = false;
  const share = await env.shares.find(ctx.state.params?.token ?? '', () => {
    isLookedUp = true;
  });
  const key = share && (await env.directory.identifyHash(share.secretHash));
  const access = share && accessOf(share, key, address, env.clock());
  // A link of the operator is no guess of the operator key.
  env.wrongKeys.check(() => address, access ? undefined : null, isLookedUp);
  if (!share || !access) throw refuse(errors.notFound());
  ctx.state.keyId = access.keyId;
  const brand = requireBrand(await env.directory.brand(access, share.brandId), false);
  const bucket = await env.buckets.take('shares', share.id);
  setRateHeaders(ctx, bucket);
  if (!bucket.granted) throw refuse(errors.rateLimited(retryAfter(bucket), 'link'));
  return { share, access, brand };
}

const WINDOW = ['days', 'from', 'to'];

const only = (query: RawParams, names: readonly string[]): RawParams =>
  Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)));

const isFilled = (query: RawParams): boolean => Object.values(query).some((value) => value !== '');

/** The filters of a link. */
export const filtersOfLink = ({ slice }: ShareRow, today: string): LinkFilters => {
  const stored = sliceOf(asQuery(slice), today);
  return Object.fromEntries(
    filterNames.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]]])),
  ) as LinkFilters;
};

/**
 * The slice of a viewer: any window. Of a link with filters, they and as many of its engines as the address names; filters
 * of others would tell what lies beyond. Of a link to a whole brand, any filter.
 * @param names The parameters in the path: a page of one prompt takes no prompts.
 * @throws 400 as the pages of a brand do.
 */
export function viewerSlice(
  share: ShareRow,
  query: RawParams,
  names: readonly string[],
  today: string,
): Slice {
  const stored = asQuery(share.slice);
  const filters = only(stored, filterNames);
  const asked = only(query, WINDOW);
  const window = isFilled(asked) ? asked : only(stored, WINDOW);
  const chosen = isFilled(filters)
    ? { ...filters, ...enginesWithin(filters, query) }
    : only(query, filterNames);
  const slice = sliceOf({ ...window, ...chosen }, today);
  return isFilled(filters) ? withoutNamed(slice, names) : slice;
}

const withoutNamed = (slice: Slice, names: readonly string[]): Slice =>
  filterNames
    .filter((name) => names.includes(name))
    .reduce<Slice>((rest, name) => withFilter(rest, name, undefined), slice);

/** The engines of a query among those of a link; if there are none, those of the link. */
function enginesWithin({ engine: limit }: RawParams, { engine: asked }: RawParams): RawParams {
  const values = [asked ?? []].flat().flatMap((each) => each.split(','));
  const known = limit === undefined ? undefined : String(limit).split(',');
  const within = known
    ? values.filter((value) => known.includes(value))
    : values.filter((each) => each !== '');
  return within.length === 0 ? {} : { engine: within.join(',') };
}

const asQuery = (slice: ShareRow['slice']): RawParams =>
  Object.fromEntries(Object.entries(slice).map(([name, value]) => [name, String(value)]));
