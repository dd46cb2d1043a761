/** The reads of a page: computed and cached as for the API, so that both show the same numbers. */
import pLimit from 'p-limit';
import { errorCode } from '../../contract/errors.js';
import { planAtLeast } from '../../contract/keys.js';
import { API_ROOT } from '../../contract/paths.js';
import { isAboutOneBrand, type Read } from '../../contract/read.js';
import { type BodyOf, type ReadName, reads } from '../../contract/registry.js';
import type { Access, Brand } from '../accounts/access.js';
import { dataVersion } from '../accounts/brands.js';
import { REMEMBER_MS } from '../accounts/directory.js';
import type { Stopwatch } from '../clock.js';
import { utcDay } from '../days.js';
import { requirePlan } from '../gates.js';
import {
  answerCsv,
  answerRead,
  type Caller,
  type CsvAnswer,
  type ReadEnvironment,
} from '../reads/answer-read.js';
import { readers } from '../reads/index.js';
import type { CachedAnswer } from '../reads/read-cache.js';
import type { ReadContext, Reader } from '../reads/reader.js';
import { createSharedCache } from '../reads/shared-cache.js';
import { collectedRegions, collectedSurfaces } from '../reads/slice.js';
import { withQuery } from './paths.js';
import { refusalIn } from './respond.js';

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
export interface Withheld {
  readonly refused: string;
}

export interface PageReads {
  readonly access: Access;
  /** Aborted when nobody waits for the reads any more. */
  readonly gone: AbortSignal;
  readonly brand: Brand;
  /** The UTC day of the request. */
  readonly today: string;
  load<N extends ReadName>(name: N, params?: Readonly<Record<string, string>>): Promise<Loaded<N>>;
  loadIfPossible<N extends ReadName>(
    name: N,
    params?: Readonly<Record<string, string>>,
  ): Promise<Loaded<N> | Withheld>;
  /** The body of a read as the API sends it. */
  answer(name: ReadName, params: Readonly<Record<string, string>>): Promise<CachedAnswer>;
  /** Its rows as the API sends them. */
  csv(name: ReadName, params: Readonly<Record<string, string>>): Promise<CsvAnswer>;
  /** The regions in which answers were collected. */
  regions(): Promise<string[]>;
  /** How runs were collected, as far as they state it. */
  surfaces(): Promise<string[]>;
  /** The same reads, for as long as others wait for them: until `gone` is aborted. */
  until(gone: AbortSignal): PageReads;
}

/** Reads of a page that are computed at once: together they would occupy every connection of the database. */
const READS_AT_ONCE = 4;

/** The refusals of a filter with a value that does not exist. Any other refusal is of one block: it lacks data or a plan. */
const UNKNOWN_VALUES: ReadonlySet<string> = new Set(
  (['unknownPrompt', 'unknownTopic', 'unknownTag', 'unknownRegion'] as const).map(errorCode),
);

/** Finds the files of a read with its parameters. */
export type FilesOf = (name: ReadName, params: Readonly<Record<string, string>>) => Files;

/**
 * The reads of one page, for a key and a brand; a few of them are computed at once.
 * @param filesOf If omitted, the page offers no files.
 */
export function pageReads(env: ReadEnvironment, caller: Caller, brand: Brand, filesOf?: FilesOf): PageReads {
  const { access, gone } = caller;
  const limited = pLimit(READS_AT_ONCE);
  const answer = (name: ReadName, params: Readonly<Record<string, string>>) =>
    limited(() => answerRead(env, name, caller, brand, params));
  const load = async <N extends ReadName>(name: N, params: Readonly<Record<string, string>> = {}) => {
    const { json } = await answer(name, params);
    const body = JSON.parse(json) as BodyOf<N>;
    return { body, source: sourceOf(name, brand, params), files: filesOf?.(name, params) };
  };
  const loadIfPossible = async <N extends ReadName>(
    name: N,
    params: Readonly<Record<string, string>> = {},
  ) => {
    const { plan, planSubject = '' }: Read = reads[name];
    try {
      requirePlan(access, plan, planSubject);
      return await load(name, params);
    } catch (error) {
      const { status, message, code } = refusalIn(error);
      if ((status !== 400 && status !== 403) || UNKNOWN_VALUES.has(code)) throw error;
      return { refused: message };
    }
  };
  const csv: PageReads['csv'] = (name, params) => answerCsv(env, name, caller, brand, params);
  const regions = async () =>
    (await collectedRegions(env.db, { brandKey: brand.key })).map(({ region }) => region);
  const surfaces = async () =>
    (await collectedSurfaces(env.db, { brandKey: brand.key })).flatMap(({ surface }) => surface || []).sort();
  const until = (last: AbortSignal) => pageReads(env, { access, gone: last }, brand, filesOf);
  const today = utcDay(env.clock());
  return {
    access,
    gone,
    brand,
    today,
    answer,
    csv,
    load,
    loadIfPossible,
    regions,
    surfaces,
    until,
  };
}

function sourceOf(name: ReadName, brand: Brand, params: Readonly<Record<string, string>>): string {
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

type VersionContext = Omit<ReadContext, 'page'>;

const mayRead =
  ({ plan }: Access) =>
  (name: ReadName): boolean => {
    const needed = (reads[name] as Read).plan;
    return needed === undefined || plan === null || planAtLeast(plan, needed);
  };
