/** The reads of a page: computed and cached as for the API, so that both show the same numbers. */
import type { BrandReads, ReadParams, Refused } from '../../../contract/brand-reads.js';
import { blendedEngineIds } from '../../../contract/engines.js';
import { planAtLeast } from '../../../contract/keys.js';
import { API_ROOT } from '../../../contract/paths.js';
import { isAboutOneBrand, type Read } from '../../../contract/read.js';
import { type BodyOf, type ReadName, reads } from '../../../contract/registry.js';
import type { Access, Brand } from '../../accounts/access.js';
import { dataVersion } from '../../accounts/brands.js';
import { REMEMBER_MS } from '../../accounts/directory.js';
import { brandReads, type Caller, type ReadEnvironment } from '../../answers/reads/answer-read.js';
import { commonWork } from '../../answers/reads/common-work.js';
import { readers } from '../../answers/reads/index.js';
import type { CachedAnswer } from '../../answers/reads/read-cache.js';
import type { Reader, VersionContext } from '../../answers/reads/reader.js';
import { createSharedCache } from '../../answers/reads/shared-cache.js';
import { collectedRegions, collectedSurfaces } from '../../answers/reads/slice.js';
import { daysCollected, newestLiveDay } from '../../answers/sums/collected-days.js';
import type { Stopwatch } from '../../base/clock.js';
import { utcDay } from '../../base/days.js';
import { withQuery } from './paths.js';

/** The addresses of a body and of its rows as files. */
export interface Files {
  readonly json: string;
  readonly csv: string;
}

/** Where the numbers of a block come from. */
export interface Served {
  /** The path of the API, or for a read that is only a tool its name, with the parameters. */
  readonly source: string;
  /** Undefined: the page offers none. */
  readonly files?: Files | undefined;
  /** What they are not filtered by, though the page is: `of all tags`. */
  readonly beyond?: string | undefined;
}

/** The body of a read, and where the API serves it. */
export interface Loaded<N extends ReadName> extends Served {
  readonly body: BodyOf<N>;
}

/** Why a block has no read: the plan of the key is too low, or the runs that it needs were deleted. */
export type Withheld = Refused;

export interface PageReads {
  readonly access: Access;
  /** Aborted when nobody waits for the reads any more. */
  readonly gone: AbortSignal;
  readonly brand: Brand;
  /** The UTC day of the request. */
  readonly today: string;
  load<N extends ReadName>(name: N, params?: ReadParams): Promise<Loaded<N>>;
  loadIfPossible<N extends ReadName>(name: N, params?: ReadParams): Promise<Loaded<N> | Withheld>;
  /** The body of a read as the API sends it. */
  answer(name: ReadName, params: ReadParams): Promise<CachedAnswer>;
  /** Its body for a file. */
  bodyOfFile<N extends ReadName>(name: N, params: ReadParams): Promise<BodyOf<N>>;
  /** The regions in which answers were collected. */
  regions(): Promise<string[]>;
  /** How runs were collected, as far as they state it. */
  surfaces(): Promise<string[]>;
  /** The newest collected day of the last weeks; null: there is none. */
  newestDay(engines?: readonly string[]): Promise<string | null>;
  /** The days since the first answer, with its own and today. */
  daysCollected(engines?: readonly string[]): Promise<number>;
  /** These reads for another reader, who waits until `gone` is aborted. */
  until(gone: AbortSignal): PageReads;
}

/** The bodies alone. */
export const bodiesOf = (reads: PageReads): BrandReads => ({
  load: async (name, params) => (await reads.load(name, params)).body,
  loadIfPossible: async (name, params) => {
    const found = await reads.loadIfPossible(name, params);
    return 'refused' in found ? found : found.body;
  },
});

/** Finds the files of a read with its parameters. */
export type FilesOf = (name: ReadName, params: ReadParams) => Files;

/**
 * The reads of one page, for a key and a brand.
 * @param filesOf If omitted, the page offers no files.
 */
export function pageReads(env: ReadEnvironment, caller: Caller, brand: Brand, filesOf?: FilesOf): PageReads {
  const { access, gone } = caller;
  const common = commonWork();
  const db = common.of(env.db);
  const { answer, ...own } = brandReads(env, { ...caller, common }, brand);
  const loaded = <N extends ReadName>(name: N, params: ReadParams, body: BodyOf<N>): Loaded<N> => ({
    body,
    source: sourceOf(name, brand, params),
    files: filesOf?.(name, params),
  });
  const load: PageReads['load'] = async (name, params = {}) =>
    loaded(name, params, await own.load(name, params));
  const loadIfPossible: PageReads['loadIfPossible'] = async (name, params = {}) => {
    const found = await own.loadIfPossible(name, params);
    return 'refused' in found ? (found as Refused) : loaded(name, params, found);
  };
  const regions = async () =>
    (await collectedRegions(db, { brandKey: brand.key })).map(({ region }) => region);
  const surfaces = async () =>
    (await collectedSurfaces(db, { brandKey: brand.key })).flatMap(({ surface }) => surface || []).sort();
  const onEngines = (engines: readonly string[] = blendedEngineIds) => ({ brandKey: brand.key, engines });
  const until = (last: AbortSignal) => pageReads(env, { access, gone: last }, brand, filesOf);
  const today = utcDay(env.clock());
  return {
    access,
    gone,
    brand,
    today,
    answer,
    bodyOfFile: own.load,
    load,
    loadIfPossible,
    regions,
    surfaces,
    newestDay: (engines) => newestLiveDay(db, onEngines(engines), today),
    daysCollected: (engines) => daysCollected(db, onEngines(engines), today),
    until,
  };
}

function sourceOf(name: ReadName, brand: Brand, params: ReadParams): string {
  const { path, tool }: Read = reads[name];
  const query = isAboutOneBrand(reads[name]) ? { brand: brand.id, ...params } : params;
  return withQuery(path === undefined ? `tool:${tool}` : `${API_ROOT}/${path}`, query);
}

/** Finds what the bodies of reads depend on, apart from their parameters. */
type Versions = (names: readonly ReadName[], reads: PageReads) => Promise<string>;

/** The versions of the data behind the reads, and of reads that are not cached the validator of the body, for a second. */
export function createVersions(env: ReadEnvironment, elapsed: Stopwatch): Versions {
  // Validators of reads that are not cached are kept as long as keys and brands.
  const tags = createSharedCache<{ readonly etag: string }>({ max: 10_000, ttl: REMEMBER_MS }, elapsed);
  const tagOf = (name: ReadName) => async (_: VersionContext, reads: PageReads) => {
    const { access, brand } = reads;
    const key = `${name} ${brand.key}`;
    const waiter = { keyId: access.keyId, gone: reads.gone };
    const found =
      tags.peek(key) ?? (await tags.make(key, waiter, ({ gone }) => reads.until(gone).answer(name, {})));
    return found.etag;
  };
  const versionOf = (name: ReadName) => {
    const { isCached = true, version = dataVersion } = readers[name] as Reader<ReadName>;
    return isCached ? version : tagOf(name);
  };
  return async (names, reads) => {
    const { access, brand, today } = reads;
    const { db, robots, clock } = env;
    const context = { db, access, brand, today, now: clock(), robots };
    // Most reads depend on the same data: their common function is called once.
    const functions = new Set(names.filter(mayRead(access)).map(versionOf));
    const versions = await Promise.all([...functions].map((version) => version(context, reads)));
    return [...new Set(versions)].join('\n');
  };
}

const mayRead =
  ({ plan }: Access) =>
  (name: ReadName): boolean => {
    const needed = (reads[name] as Read).plan;
    return needed === undefined || plan === null || planAtLeast(plan, needed);
  };
