/** From a caller, a brand and parameters to the answer of a read: what REST and MCP both serve. */
import type { Knex } from 'knex';
import { type ResourceName, resources } from '../../contract/registry.js';
import type { Access } from '../accounts/access.js';
import type { Brand } from '../accounts/brand-scope.js';
import type { Clock } from '../clock.js';
import { utcDay } from '../days.js';
import { parseParams, type RawParams } from '../parameters.js';
import { readers } from './index.js';
import { pageRequest } from './page.js';
import type { CachedAnswer, ReadCache } from './read-cache.js';
import type { Reader } from './scope.js';

export interface ReadEnvironment {
  readonly db: Knex;
  readonly cache: ReadCache;
  readonly clock: Clock;
}

/** The body of a read, from the cache or computed. */
export async function answerRead(
  { db, cache, clock }: ReadEnvironment,
  name: ResourceName,
  access: Access,
  brand: Brand,
  raw: RawParams,
): Promise<CachedAnswer> {
  const resource = resources[name];
  const params = parseParams(resource.params, raw);
  const listing = { resource: name, brandId: name === 'brands' ? '' : brand.id };
  const page = 'rows' in resource ? pageRequest(listing, params) : null;
  const today = utcDay(clock());
  const { brand: _, ...rest } = params;
  const key = [name, today, seenBy(name, access, brand), JSON.stringify(rest)].join('\n');
  const read = readers[name] as Reader<ResourceName>;
  return cache.get(key, () => read({ db, access, brand, today, page }, params));
}

/** The list of brands is the caller's; every other read is the brand's, whoever asks. */
const seenBy = (name: ResourceName, access: Access, brand: Brand): string =>
  name === 'brands' ? `${access.keyId} ${brand.scopeVersion}` : `${brand.key} ${brand.dataVersion}`;
