/** Which rows of a list a command prints, and in which order. */
import { CAPS, PAGE_LIMIT } from '../../contract/limits.js';
import { comparison } from '../../contract/order.js';
import type { Read } from '../../contract/read.js';
import { type ListName, type ResponseOf, type RowOf, resources } from '../../contract/registry.js';
import { type Page, type PageRequest, pagesOf } from './paging.js';

/** What was asked for. */
export interface Wanted {
  /** Where to go on in the order of pages; empty: at the first page. Absent: the list's own order. */
  readonly cursor?: string;
  /** Rows in all. */
  readonly limit?: number;
  readonly all?: boolean;
}

/** How to ask for it. */
export interface Source<N extends ListName> {
  readonly name: N;
  /** The unpaged read. */
  top(): PromiseLike<Envelope<N>>;
  page(request: PageRequest): PromiseLike<Envelope<N> & Page>;
}

/** Rows in the envelope that they came in. */
export type Envelope<N extends ListName> = ResponseOf<N> & Partial<Page>;

/** A part of what is printed, and what is to be said about rows that are not. */
export interface Part<N extends ListName> {
  readonly envelope: Envelope<N>;
  readonly rest: readonly string[];
}

export const rowsOf = <N extends ListName>(name: N, envelope: Envelope<N>): readonly RowOf<N>[] =>
  (envelope as unknown as { [field: string]: RowOf<N>[] })[resources[name].rows]!;

/**
 * The list in its own order, that of the unpaged read, or from a cursor on in the order of pages. Rows come page by page
 * where both orders are the same; where they differ and more is asked for than the unpaged read gives, every page is read
 * before the first row is known.
 */
export async function* listing<N extends ListName>(
  source: Source<N>,
  wanted: Wanted,
): AsyncGenerator<Part<N>, void, undefined> {
  const { name } = source;
  const { cursor, limit, all = false } = wanted;
  const cap = (CAPS as { readonly [list: string]: number | undefined })[name];
  const { order }: Read = resources[name];
  if (cursor === undefined && limit === undefined && !all) yield whole(source, await source.top(), cap);
  else if (cursor !== undefined || (cap !== undefined && order === undefined)) yield* paged(source, wanted);
  else if (cap === undefined || (limit ?? cap + 1) <= cap) yield cut(source, await source.top(), limit, cap);
  else yield cut(source, await sorted(source, comparison(order!)), limit, undefined);
}

/** The unpaged read as it is. */
function whole<N extends ListName>(
  { name }: Source<N>,
  envelope: Envelope<N>,
  cap: number | undefined,
): Part<N> {
  const capped = rowsOf(name, envelope).length === cap;
  return { envelope, rest: capped ? [`At most ${cap} rows unless --limit or --all asks for more.`] : [] };
}

/** The first rows; no cursor goes on in this order, so `next_cursor` is null where nothing is left, else absent. */
function cut<N extends ListName>(
  { name }: Source<N>,
  envelope: Envelope<N>,
  limit: number | undefined,
  cap: number | undefined,
): Part<N> {
  const rows = rowsOf(name, envelope);
  const kept = rows.slice(0, limit);
  const part = { ...envelope, [resources[name].rows]: kept };
  const isWhole = rows.length !== cap;
  if (kept.length < rows.length) {
    const of = isWhole ? ` of ${rows.length}` : '';
    return { envelope: part, rest: [`The first ${kept.length}${of}; --all prints every row.`] };
  }
  return { envelope: isWhole ? { ...part, next_cursor: null } : part, rest: [] };
}

/** All rows in an order that is not that of the pages. */
async function sorted<N extends ListName>(
  source: Source<N>,
  compare: (a: RowOf<N> & object, b: RowOf<N> & object) => number,
): Promise<Envelope<N>> {
  const { name } = source;
  const pages: Envelope<N>[] = [];
  for await (const { envelope } of paged(source, { all: true })) pages.push(envelope);
  const rows = pages.flatMap((page) => rowsOf(name, page)) as (RowOf<N> & object)[];
  const { next_cursor: _, ...first } = pages[0]!;
  return { ...first, [resources[name].rows]: rows.sort(compare) } as unknown as Envelope<N>;
}

/** Page by page, as the API orders them. */
async function* paged<N extends ListName>(
  { name, page }: Source<N>,
  { cursor = '', limit = PAGE_LIMIT.default, all }: Wanted,
): AsyncGenerator<Part<N>, void, undefined> {
  const from = { cursor: cursor === '' ? undefined : cursor, limit: all ? Number.POSITIVE_INFINITY : limit };
  let count = 0;
  for await (const envelope of pagesOf(page, from, (one) => rowsOf(name, one))) {
    count += rowsOf(name, envelope).length;
    const { next_cursor: next } = envelope;
    yield { envelope, rest: next === null ? [] : [`${count} rows; go on with --cursor ${next}`] };
  }
}
