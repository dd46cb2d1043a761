/** Pages: the content of a cursor, and the page of some rows with the cursor of the next page. */
import { errors } from '../../../contract/errors.js';
import { PAGE_LIMIT } from '../../../contract/limits.js';
import { isDay } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import { isStorable } from '../../base/statement.js';

/** A string in a cursor: any text, or a day that the database can compare with. */
export type CursorPart = 'text' | 'day';

export interface PageRequest {
  /** What cursors of this listing are bound to: resource and brand. */
  readonly listing: Listing;
  /** The place of the last row before the page; null: from the beginning. */
  readonly after: readonly string[] | null;
  readonly limit: number;
}

export interface Listing {
  readonly resource: string;
  /** Empty for the list of brands, which belongs to no brand. */
  readonly brandId: string;
}

const CURSOR_VERSION = 1;

/**
 * The page that the parameters ask for; null when neither was given.
 * @param parts The strings that a cursor of this listing holds.
 * @throws Invalid cursor: not ours, of another resource, or of another brand.
 */
export function pageRequest(
  listing: Listing,
  { cursor, limit }: { cursor?: string | undefined; limit?: number | undefined },
  parts: readonly CursorPart[] = ['text'],
): PageRequest | null {
  if (cursor === undefined && limit === undefined) return null;
  const after = cursor === undefined ? null : decodeCursor(listing, cursor, parts);
  return { listing, after, limit: limit ?? PAGE_LIMIT.default };
}

/** The cursor of the page after a row at this place. */
export function encodeCursor({ resource, brandId }: Listing, place: readonly string[]): string {
  return Buffer.from(JSON.stringify([CURSOR_VERSION, resource, brandId, ...place])).toString('base64url');
}

function decodeCursor(listing: Listing, cursor: string, parts: readonly CursorPart[]): string[] {
  const [version, resource, brandId, ...place] = parsed(cursor);
  const fits =
    version === CURSOR_VERSION &&
    resource === listing.resource &&
    brandId === listing.brandId &&
    place.length === parts.length &&
    place.every((value, at) => fitsPart(value, parts[at]!)) &&
    encodeCursor(listing, place as string[]) === cursor;
  if (!fits) throw refuse(errors.invalidCursor(listing.resource, cursor, listing.brandId !== ''));
  return place as string[];
}

/** A cursor is a caller's text: what the database cannot store or compare with is refused. */
const fitsPart = (value: unknown, part: CursorPart): boolean =>
  typeof value === 'string' &&
  isStorable(value) &&
  (part === 'text' || (/^[12]\d{3}-\d\d-\d\d$/.test(value) && isDay(value)));

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Rows to fetch: one more than the page holds shows whether another page follows. */
export const rowsToFetch = (page: PageRequest): number => page.limit + 1;

/** The rows of the page and its next_cursor, from up to one row more than it holds. */
export function cutPage<Row>(
  page: PageRequest,
  rows: readonly Row[],
  placeOf: (row: Row) => readonly string[],
): { rows: Row[]; next_cursor: string | null } {
  const kept = rows.slice(0, page.limit);
  const last = kept.at(-1);
  const next_cursor = rows.length > page.limit && last ? encodeCursor(page.listing, placeOf(last)) : null;
  return { rows: kept, next_cursor };
}
