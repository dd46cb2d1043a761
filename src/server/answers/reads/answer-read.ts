/** From a caller, a brand and parameters to the body of a read: what REST and MCP both serve. */

import type { Knex } from 'knex';
import pLimit from 'p-limit';
import type { BrandReads, ReadParams } from '../../../contract/brand-reads.js';
import { errorCode } from '../../../contract/errors.js';
import { isAboutOneBrand, type Read } from '../../../contract/read.js';
import { type BodyOf, type ReadName, reads } from '../../../contract/registry.js';
import { bodyCsv } from '../../../contract/rows.js';
import { asReleased } from '../../../contract/unmeasured.js';
import { type Access, type Brand, requirePlan } from '../../accounts/access.js';
import { dataVersion, hasDataVersion } from '../../accounts/brands.js';
import { waitingAlone } from '../../base/audience.js';
import type { Clock } from '../../base/clock.js';
import { utcDay, windowEnding } from '../../base/days.js';
import { RefusedError } from '../../base/errors.js';
import type { RobotsChecks } from '../../base/robots/fetch.js';
import type { Db } from '../../base/statement.js';
import { type Validated, validated } from '../../base/validated.js';
import type { ReadPool } from '../../database/read-session.js';
import type { Replica } from '../../database/replica.js';
import { parseParams, type RawParams, type Values } from '../parameters.js';
import { type CommonWork, commonWork } from './common-work.js';
import { readers } from './index.js';
import { pageRequest } from './list-page.js';
import { type CachedAnswer, encode, type ReadCache } from './read-cache.js';
import type { Reader } from './reader.js';

export interface ReadEnvironment {
  /** For what a read looks up before it is computed. */
  readonly db: Knex;
  /** Where reads are computed. */
  readonly primary: ReadPool;
  /** Where they are computed if it has the data; if omitted or null, always on the primary. */
  readonly replica?: Pick<Replica, 'read'> | null;
  readonly cache: ReadCache;
  readonly clock: Clock;
  readonly robots: RobotsChecks;
}

/** A request for a read: what its key allows, and the signal that its client has left. */
export interface Caller {
  readonly access: Access;
  readonly gone: AbortSignal;
  /** What it shares with other requests for reads of the same brand; if omitted, nothing. */
  readonly common?: CommonWork;
}

type Body = Readonly<Record<string, unknown>>;

/** A part of a body, cached under a name of its own. */
export interface Projection {
  readonly name: string;
  of(body: Body): object;
}

/** A format of bodies, cached under a name of its own. */
interface Encoding<C extends Validated> {
  readonly name: string;
  encode(body: Body): C;
}

/** The body of a read as JSON, from the cache or computed. */
export function answerRead(
  env: ReadEnvironment,
  name: ReadName,
  caller: Caller,
  brand: Brand,
  raw: RawParams,
  projection: Projection = whole,
): Promise<CachedAnswer> {
  const { response }: Read = reads[name];
  // The parts of a composed body are as released already.
  const released = readers[name].isComposed ? whole.of : (body: Body) => asReleased(response, body);
  return answerAs(env, name, caller, brand, raw, {
    name: projection.name,
    encode: (body) => encode(projection.of(released(body) as Body)),
  });
}

const whole: Projection = { name: '', of: (body) => body };

export interface CsvAnswer extends Validated {
  /** The cursor of the page that follows; null: there is none, or the request asks for no page. */
  readonly nextCursor: string | null;
}

/** The main rows of a read as CSV, from the cache or computed: the bytes that `--format csv` of the command prints. */
export const answerCsv = (
  env: ReadEnvironment,
  name: ReadName,
  caller: Caller,
  brand: Brand,
  raw: RawParams,
): Promise<CsvAnswer> =>
  answerAs(env, name, caller, brand, raw, {
    name: 'csv',
    encode: (body) => ({
      ...validated(bodyCsv(reads[name], body)),
      nextCursor: (body.next_cursor as string | undefined) ?? null,
    }),
  });

/** 403 for a value of a parameter that the workspace's plan does not allow. */
function requirePlanOf({ planOf }: Read, access: Access, params: Readonly<Record<string, unknown>>): void {
  if (planOf && params[planOf.param] === planOf.value) requirePlan(access, planOf.plan, planOf.planSubject);
}

/** The parameters with the days that end today as from and to. A read that has presets defines where its own days end. */
function datedParams({ params: declared }: Read, values: Values, today: string): Values {
  const { days, ...others } = values;
  if (typeof days !== 'number' || !('from' in declared) || declared.days?.kind !== 'integer') return values;
  const { start, end } = windowEnding(today, days);
  return { ...others, from: start, to: end };
}

/** The body of a read in a format, from the cache or computed. */
export async function answerAs<C extends Validated>(
  env: ReadEnvironment,
  name: ReadName,
  { access, gone, common }: Caller,
  brand: Brand,
  raw: RawParams,
  encoding: Encoding<C>,
): Promise<C> {
  const { db, primary, replica, cache, clock, robots } = env;
  const definition: Read = reads[name];
  const compute = readers[name] as Reader<ReadName>;
  const { isCached = true, isComposed, version = dataVersion, isCurrent = hasDataVersion, cursor } = compute;
  const now = clock();
  const today = utcDay(now);
  const params = datedParams(definition, parseParams(definition.params, raw), today);
  requirePlanOf(definition, access, params);
  const listing = { resource: name, brandId: isAboutOneBrand(definition) ? brand.id : '' };
  const page = definition.rows ? pageRequest(listing, params, cursor) : null;
  const context = { db, access, brand, today, now, robots };
  if (isComposed) {
    const others = brandReads(env, { access, gone, ...(common && { common }) }, brand);
    return encoding.encode({ ...(await compute({ ...context, page, reads: others }, params as never)) });
  }
  const body = async (from: Db): Promise<Body> => ({
    ...(await compute({ ...context, db: common?.of(from) ?? from, page }, params as never)),
  });
  // What is not cached may change without a new version, so no replica can be compared with the primary.
  const waiter = { keyId: access.keyId, gone };
  if (!isCached) return encoding.encode(await primary.read(waitingAlone(waiter), body));
  const { brand: _, ...rest } = params;
  const key = `${name}\n${encoding.name}\n${context.today}\n${await version(context, params as never)}\n${JSON.stringify(rest)}`;
  return cache.content(key, waiter, async (audience) => {
    const found = await replica?.read(audience, (from) => isCurrent({ ...context, db: from }), body);
    return encoding.encode(found ? found.result : await primary.read(audience, body));
  });
}

// The reads of a brand for one caller.

/** Reads that are computed at once: together they would occupy every connection of the database. */
const READS_AT_ONCE = 4;

/** The refusals of a filter with a value that does not exist. Any other refusal is of one read: it lacks data or a plan. */
const UNKNOWN_VALUES: ReadonlySet<string> = new Set(
  (['unknownPrompt', 'unknownTopic', 'unknownTag', 'unknownRegion'] as const).map(errorCode),
);

interface AnsweredReads extends BrandReads {
  /** The body of a read as the API sends it. */
  answer(name: ReadName, params: ReadParams): Promise<CachedAnswer>;
}

/**
 * The reads of a brand for a key, computed and cached as for the API; a few of them are computed at once. A body is read once,
 * and everybody who asks for it gets the same object.
 */
export function brandReads(env: ReadEnvironment, caller: Caller, brand: Brand): AnsweredReads {
  const limited = pLimit(READS_AT_ONCE);
  const { common = commonWork() } = caller;
  const answer = (name: ReadName, params: ReadParams) => {
    const make = () => answerRead(env, name, { ...caller, common }, brand, params);
    // A composed read waits for others, which need a turn.
    return readers[name].isComposed ? make() : limited(make);
  };
  const load = <N extends ReadName>(name: N, params: ReadParams = {}) =>
    common.once(`${name} ${JSON.stringify(Object.entries(params).sort())}`, async () =>
      JSON.parse((await answer(name, params)).json),
    ) as Promise<BodyOf<N>>;
  return {
    answer,
    load,
    loadIfPossible: async (name, params) => {
      const { plan, planSubject = '' }: Read = reads[name];
      try {
        requirePlan(caller.access, plan, planSubject);
        return await load(name, params);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        const { status, message, code } = error.refusal;
        if ((status !== 400 && status !== 403) || UNKNOWN_VALUES.has(code)) throw error;
        return { refused: message };
      }
    },
  };
}
