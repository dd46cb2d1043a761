/** From a caller, a brand and parameters to the answer of a read: what REST and MCP both serve. */
import type { Knex } from 'knex';
import { type ResourceName, resources } from '../../contract/registry.js';
import type { Resource } from '../../contract/resource.js';
import { type ToolResourceName, toolResources } from '../../contract/tools/registry.js';
import type { Access } from '../accounts/access.js';
import type { Brand } from '../accounts/brand-scope.js';
import type { Clock } from '../clock.js';
import { utcDay } from '../days.js';
import { parseParams, type RawParams } from '../parameters.js';
import type { RobotsChecks } from '../robots/robots-checks.js';
import { readers } from './index.js';
import { pageRequest } from './page.js';
import { type CachedAnswer, encode, type ReadCache } from './read-cache.js';
import type { Reader } from './reader.js';
import { toolReaders } from './tools/index.js';

export interface ReadEnvironment {
  readonly db: Knex;
  readonly cache: ReadCache;
  readonly clock: Clock;
  readonly robots: RobotsChecks;
}

/** Everything that can be read. */
export type ReadName = ResourceName | ToolResourceName;
const definitions: Readonly<Record<ReadName, Resource>> = { ...resources, ...toolResources };
const computed = { ...readers, ...toolReaders };

/** What is shown of a whole answer; kept beside it under a name of its own. */
export interface View {
  readonly name: string;
  of(body: Readonly<Record<string, unknown>>): object;
}

/** Reads that tell how old something is by now: one row each, computed every time they are asked for. */
const TELL_TIME: readonly ReadName[] = ['fact-check'];

/** The body of a read, from the cache or computed. */
export async function answerRead(
  { db, cache, clock, robots }: ReadEnvironment,
  name: ReadName,
  access: Access,
  brand: Brand,
  raw: RawParams,
  view?: View,
): Promise<CachedAnswer> {
  const resource = definitions[name];
  const params = parseParams(resource.params, raw);
  const listing = { resource: name, brandId: name === 'brands' ? '' : brand.id };
  const page = resource.rows ? pageRequest(listing, params) : null;
  const now = clock();
  const today = utcDay(now);
  const { brand: _, ...rest } = params;
  const logs = name === 'crawlers' ? await logsVersion(brand, robots) : '';
  const version = [today, seenBy(name, access, brand), logs];
  const key = [name, view?.name ?? '', ...version, JSON.stringify(rest)].join('\n');
  const read = computed[name] as Reader<ResourceName>;
  const compute = async () => {
    const body = await read({ db, access, brand, today, now, robots, page }, params);
    return view ? view.of({ ...body }) : body;
  };
  return TELL_TIME.includes(name) ? encode(await compute()) : cache.get(key, compute);
}

/** The list of brands is the caller's; every other read is the brand's, whoever asks. */
const seenBy = (name: ReadName, access: Access, brand: Brand): string =>
  name === 'brands' ? `${access.keyId} ${brand.scopeVersion}` : `${brand.key} ${brand.dataVersion}`;

/** Crawler analytics follows two things of its own: the logs that came, and the site's robots.txt, hour by hour. */
const logsVersion = async (brand: Brand, robots: RobotsChecks): Promise<string> =>
  `${brand.crawlerVersion} ${(await robots.of(brand.domain)).checkedAt}`;
