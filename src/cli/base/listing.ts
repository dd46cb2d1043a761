/** Selects the rows of a list that a command prints, and their order. */
import { CAPS, PAGE_LIMIT } from '../../contract/limits.js';
import { comparison } from '../../contract/order.js';
import type { Read } from '../../contract/read.js';
import { type ListName, type ResponseOf, type RowOf, resources } from '../../contract/registry.js';
import type { Comparison } from '../render/picked.js';
import { type Page, type PageRequest, pagesOf } from './paging.js';

/** The rows that the flags select. */
export interface Selection {
  /** Where to continue in the order of pages; empty: at the first page. Absent: the order of the unpaged read. */
  readonly cursor?: string;
  /** The total number of rows. */
  readonly limit?: number;
  readonly all?: boolean;
  /** The order of `--sort`; the whole list is read before its first row is known. */
  readonly compare?: Comparison | undefined;
}

/** How to request a list. */
export interface Source<N extends ListName> {
  readonly name: N;
  /** The unpaged read. */
  top(): PromiseLike<Envelope<N>>;
  page(request: PageRequest): PromiseLike<Envelope<N> & Page>;
}

/** A response of the API: rows, and the fields around them. */
export type Envelope<N extends ListName> = ResponseOf<N> & Partial<Page>;

/** A part of the output, and notes about the rows that are left out. */
export interface Part<N extends ListName> {
  readonly envelope: Envelope<N>;
  readonly notes: readonly string[];
}

/** The most rows of the unpaged read; undefined: it has every row. */
const capOf = (name: ListName): number | undefined =>
  (CAPS as { readonly [list: string]: number | undefined })[name];

/** The rows of a response, which are in the field that the contract names. */
export const rowsOf = <N extends ListName>(name: N, envelope: Envelope<N>): readonly RowOf<N>[] =>
  (envelope as unknown as { [field: string]: RowOf<N>[] })[resources[name].rows]!;

/**
 * The list in the order of the unpaged read or, with a cursor, in the order of pages. If both orders are the same, rows
 * arrive page by page. If they differ and the selection exceeds the unpaged read, every page is read before the first row
 * is known.
 */
export async function* listing<N extends ListName>(
  source: Source<N>,
  selection: Selection,
): AsyncGenerator<Part<N>, void, undefined> {
  const { name } = source;
  const { cursor, limit, all = false, compare } = selection;
  const cap = capOf(name);
  const { order }: Read = resources[name];
  if (compare) yield cut(source, await sorted(source, compare), all ? undefined : (limit ?? cap));
  else if (cursor === undefined && limit === undefined && !all) yield whole(source, await source.top(), cap);
  else if (cursor !== undefined || (cap !== undefined && order === undefined))
    yield* paged(source, selection);
  else if (cap === undefined || (limit ?? cap + 1) <= cap) yield cut(source, await source.top(), limit, cap);
  else yield cut(source, await sorted(source, comparison(order!) as Comparison), limit);
}

/** The unpaged read, unchanged. */
function whole<N extends ListName>(
  { name }: Source<N>,
  envelope: Envelope<N>,
  cap: number | undefined,
): Part<N> {
  const capped = rowsOf(name, envelope).length === cap;
  return { envelope, notes: capped ? [`At most ${cap} rows unless --limit or --all asks for more.`] : [] };
}

/** The first rows. This order has no cursor, so `next_cursor` is null if no row is left, else absent. */
function cut<N extends ListName>(
  { name }: Source<N>,
  envelope: Envelope<N>,
  limit: number | undefined,
  cap?: number,
): Part<N> {
  const rows = rowsOf(name, envelope);
  const kept = rows.slice(0, limit);
  const part = { ...envelope, [resources[name].rows]: kept };
  const isWhole = rows.length !== cap;
  if (kept.length < rows.length) {
    const of = isWhole ? ` of ${rows.length}` : '';
    return { envelope: part, notes: [`The first ${kept.length}${of}; --all prints every row.`] };
  }
  return { envelope: isWhole ? { ...part, next_cursor: null } : part, notes: [] };
}

/** All rows, sorted in an order that differs from the order of pages. */
async function sorted<N extends ListName>(source: Source<N>, compare: Comparison): Promise<Envelope<N>> {
  const { name } = source;
  const pages: Envelope<N>[] = [];
  if (capOf(name) === undefined) pages.push(await source.top());
  else for await (const { envelope } of paged(source, { all: true })) pages.push(envelope);
  const rows = pages.flatMap((page) => rowsOf(name, page));
  const { next_cursor: _, ...first } = pages[0]!;
  return { ...first, [resources[name].rows]: rows.sort(compare) } as unknown as Envelope<N>;
}

/** Page by page, in the order of the API. */
async function* paged<N extends ListName>(
  { name, page }: Source<N>,
  { cursor = '', limit = PAGE_LIMIT.default, all }: Selection,
): AsyncGenerator<Part<N>, void, undefined> {
  const from = { cursor: cursor === '' ? undefined : cursor, limit: all ? Number.POSITIVE_INFINITY : limit };
  let count = 0;
  for await (const envelope of pagesOf(page, from, (one) => rowsOf(name, one))) {
    count += rowsOf(name, envelope).length;
    const { next_cursor: next } = envelope;
    yield { envelope, notes: next === null ? [] : [`${count} rows; more with --cursor ${next}`] };
  }
}
