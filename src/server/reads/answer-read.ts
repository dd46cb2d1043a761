/** From a caller, a brand and parameters to the body of a read: what REST and MCP both serve. */
import type { Knex } from 'knex';
import { isAboutOneBrand, type Read } from '../../contract/read.js';
import { type ReadName, reads } from '../../contract/registry.js';
import type { Access } from '../accounts/access.js';
import type { Brand } from '../accounts/find-brand.js';
import type { Clock } from '../clock.js';
import { utcDay } from '../days.js';
import { parseParams, type RawParams } from '../parameters.js';
import type { RobotsChecks } from '../robots/robots-checks.js';
import { readers } from './index.js';
import { pageRequest } from './page.js';
import { type CachedAnswer, encode, type ReadCache } from './read-cache.js';
import { dataVersion, type Reader } from './reader.js';

export interface ReadEnvironment {
  readonly db: Knex;
  readonly cache: ReadCache;
  readonly clock: Clock;
  readonly robots: RobotsChecks;
}

/** A part of a body, cached under a name of its own. */
export interface View {
  readonly name: string;
  of(body: Readonly<Record<string, unknown>>): object;
}

/** The body of a read, from the cache or computed. */
export async function answerRead(
  { db, cache, clock, robots }: ReadEnvironment,
  name: ReadName,
  access: Access,
  brand: Brand,
  raw: RawParams,
  view?: View,
): Promise<CachedAnswer> {
  const definition: Read = reads[name];
  const { compute, isCached = true, version = dataVersion, cursor } = readers[name] as Reader<ReadName>;
  const params = parseParams(definition.params, raw);
  const listing = { resource: name, brandId: isAboutOneBrand(definition) ? brand.id : '' };
  const page = definition.rows ? pageRequest(listing, params, cursor) : null;
  const now = clock();
  const context = { db, access, brand, today: utcDay(now), now, robots };
  const body = async () => {
    const whole = await compute({ ...context, page }, params as never);
    return view ? view.of({ ...whole }) : whole;
  };
  if (!isCached) return encode(await body());
  const { brand: _, ...rest } = params;
  const key = `${name}\n${view?.name ?? ''}\n${context.today}\n${await version(context)}\n${JSON.stringify(rest)}`;
  return cache.get(key, body);
}
