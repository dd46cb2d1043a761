/** The context that a reader gets, and the properties that it declares. */
import type { BrandReads } from '../../../contract/brand-reads.js';
import { WINDOW_DAYS } from '../../../contract/limits.js';
import type { ParsedParamsOf, ReadName, Reads } from '../../../contract/registry.js';
import type { Infer } from '../../../contract/schema.js';
import type { Access, Brand } from '../../accounts/access.js';
import { everyDayOf, windowEnding } from '../../base/days.js';
import type { RobotsChecks } from '../../base/robots/fetch.js';
import type { BrandWindow, Db } from '../../base/statement.js';
import type { CursorPart, PageRequest } from './list-page.js';

export interface ReadContext {
  readonly db: Db;
  readonly access: Access;
  readonly brand: Brand;
  /** The UTC day on which every window without arguments ends. */
  readonly today: string;
  /** The time of the request. Only a read that is computed for each request may use it: others are cached for an hour. */
  readonly now: Date;
  /** The robots.txt of a site, fetched at most once an hour. */
  readonly robots: RobotsChecks;
  /** The page that the request asks for; null: the unpaged contract with its caps. Always null for reads that are not lists. */
  readonly page: PageRequest | null;
  /** The other reads of the brand for the same caller. Only for a read that is composed: others hold a turn already. */
  readonly reads?: BrandReads;
}

/** What the version of a body follows from. */
export type VersionContext = Omit<ReadContext, 'page' | 'reads'>;

/** The data of a brand, whoever reads them. */
export interface BrandSource {
  readonly db: Db;
  readonly brand: Pick<Brand, 'key' | 'id' | 'name' | 'domain'> &
    Partial<Pick<Brand, 'namesSince' | 'isSearched'>>;
}

/** A body with null wherever nothing was measured. */
type Measured<N extends ReadName> = Infer<Reads[N]['response'], null>;
type Body<N extends ReadName> = Reads[N] extends { rows: string }
  ? Measured<N> | (Measured<N> & { next_cursor: string | null })
  : Measured<N>;

/** Computes the body of a read, in the contract's own names. How it is cached and paged are properties of the function. */
export interface Reader<N extends ReadName> extends Caching<N> {
  (context: ReadContext, params: ParsedParamsOf<N>): Promise<Body<N>>;
}

interface Caching<N extends ReadName> {
  /** False if the body depends on the time of the request, so that it is computed for each one; if omitted, true. */
  readonly isCached?: boolean;
  /** True if it only composes other reads, which are computed and cached as they are; it is computed for each request. */
  readonly isComposed?: boolean;
  /** The version of the data behind the body, or behind any body; if omitted, that of the brand's collected data. */
  readonly version?: (context: VersionContext, params?: ParsedParamsOf<N>) => string | Promise<string>;
  /** Whether the database of the context, a replica, has the data that the request's brand names; if omitted, its collected data. */
  readonly isCurrent?: (context: VersionContext) => Promise<boolean>;
  /** The strings that state a row's place in the order of pages; if omitted, one text. */
  readonly cursor?: readonly CursorPart[];
}

export const withCaching = <N extends ReadName>(compute: Reader<N>, caching: Caching<N>): Reader<N> =>
  Object.assign(compute, caching);

/** The brand as every body states it. */
export const brandRefOf = ({ id, name, domain }: Brand) => ({ id, name, domain });

/** The reads of what an import fills that take days which end today. */
type LastDaysRead =
  | 'community-threads'
  | 'youtube-citations'
  | 'shopping'
  | 'shopping-trend'
  | 'visitor-stats';

/** Bindings of a window, with each of its days. */
export interface LastDays extends BrandWindow {
  readonly days: readonly string[];
}

/** A reader of the last days. @param compute The body without the brand and the number of days, which it begins with. */
export const ofLastDays =
  <N extends LastDaysRead>(
    compute: (context: ReadContext, window: LastDays) => Promise<Omit<Measured<N>, 'brand' | 'window_days'>>,
  ): Reader<N> =>
  async (context, params) => {
    const { days = WINDOW_DAYS }: { days?: number } = params;
    const window = windowEnding(context.today, days);
    const bindings = { brandKey: context.brand.key, ...window, days: everyDayOf(window) };
    const body = await compute(context, bindings);
    return { brand: brandRefOf(context.brand), window_days: days, ...body } as unknown as Body<N>;
  };
