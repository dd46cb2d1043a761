/** The context that a reader gets, and the properties that it declares. */
import type { Knex } from 'knex';
import type { ParsedParamsOf, ReadName, Reads } from '../../contract/registry.js';
import type { Infer } from '../../contract/schema.js';
import type { Access, Brand } from '../accounts/access.js';
import { brandState, versionOfBrand } from '../accounts/brands.js';
import type { RobotsChecks } from '../robots/fetch.js';
import type { CursorPart, PageRequest } from './page.js';

export interface ReadContext {
  readonly db: Knex;
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
}

/** A body with null wherever nothing was measured. */
type Measured<N extends ReadName> = Infer<Reads[N]['response'], null>;
type Body<N extends ReadName> = Reads[N] extends { rows: string }
  ? Measured<N> | (Measured<N> & { next_cursor: string | null })
  : Measured<N>;

/** Computes the body of a read, in the contract's own names. */
export type Compute<N extends ReadName> = (
  context: ReadContext,
  params: ParsedParamsOf<N>,
) => Promise<Body<N>>;

/** How a read is computed, cached and paged. */
export interface Reader<N extends ReadName> {
  readonly compute: Compute<N>;
  /** False: the body depends on the time of the request, so it is computed for each one. Absent: true. */
  readonly isCached?: boolean;
  /** The version of the data behind the body; absent: that of the brand's collected data. */
  readonly version?: (context: Omit<ReadContext, 'page'>) => string | Promise<string>;
  /** Whether the database of the context, a replica, has the data that the request's brand names; absent: its collected data. */
  readonly isCurrent?: (context: Omit<ReadContext, 'page'>) => Promise<boolean>;
  /** The strings that state a row's place in the order of pages; absent: one text. */
  readonly cursor?: readonly CursorPart[];
}

/** The brand as every body states it. */
export const brandRefOf = ({ id, name, domain }: Brand) => ({ id, name, domain });

/**
 * Moves with every import and every other change of the brand's data. It names both versions, because a distributed
 * database may show one of them before the other.
 */
export const dataVersion = ({ brand }: Pick<ReadContext, 'brand'>): string =>
  `${brand.key} ${brand.dataVersion} ${brand.storedVersion}`;

/** Whether a database has at least the versions of the brand's data that the directory returned. */
export async function hasDataVersion({ db, brand }: Pick<ReadContext, 'db' | 'brand'>): Promise<boolean> {
  const [row] = await versionOfBrand(db, { brandKey: brand.key });
  const [state] = await brandState(db, { brandKey: brand.key });
  return (
    row !== undefined && row.dataVersion >= brand.dataVersion && state!.storedVersion >= brand.storedVersion
  );
}
