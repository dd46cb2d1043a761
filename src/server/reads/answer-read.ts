/** From a caller, a brand and parameters to the body of a read: what REST and MCP both serve. */
import type { Knex } from 'knex';
import { isAboutOneBrand, type Read } from '../../contract/read.js';
import { type ReadName, reads } from '../../contract/registry.js';
import type { Access } from '../accounts/access.js';
import type { Brand } from '../accounts/find-brand.js';
import type { Clock } from '../clock.js';
import type { Replica } from '../database/replica.js';
import { utcDay } from '../days.js';
import { parseParams, type RawParams } from '../parameters.js';
import type { RobotsChecks } from '../robots/robots-checks.js';
import { readers } from './index.js';
import { pageRequest } from './page.js';
import { type CachedAnswer, encode, type ReadCache } from './read-cache.js';
import { dataVersion, hasDataVersion, type Reader } from './reader.js';

export interface ReadEnvironment {
  readonly db: Knex;
  /** Where reads are computed if it has the data; absent or null: always in `db`. */
  readonly replica?: Pick<Replica, 'read'> | null;
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
  { db, replica, cache, clock, robots }: ReadEnvironment,
  name: ReadName,
  access: Access,
  brand: Brand,
  raw: RawParams,
  view?: View,
): Promise<CachedAnswer> {
  const definition: Read = reads[name];
  const reader = readers[name] as Reader<ReadName>;
  const { compute, isCached = true, version = dataVersion, isCurrent = hasDataVersion, cursor } = reader;
  const params = parseParams(definition.params, raw);
  const listing = { resource: name, brandId: isAboutOneBrand(definition) ? brand.id : '' };
  const page = definition.rows ? pageRequest(listing, params, cursor) : null;
  const now = clock();
  const context = { db, access, brand, today: utcDay(now), now, robots };
  const body = async (from: Knex) => {
    const whole = await compute({ ...context, db: from, page }, params as never);
    return view ? view.of({ ...whole }) : whole;
  };
  // What is not cached may change without a new version, so no replica can be compared with the primary.
  if (!isCached) return encode(await body(db));
  const { brand: _, ...rest } = params;
  const key = `${name}\n${view?.name ?? ''}\n${context.today}\n${await version(context)}\n${JSON.stringify(rest)}`;
  return cache.get(key, async () =>
    replica ? replica.read((from) => isCurrent({ ...context, db: from }), body) : body(db),
  );
}
