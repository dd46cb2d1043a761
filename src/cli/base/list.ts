/** Selects the rows of a list that a command prints, and their order. */
import { SEARCH_ENGINES } from '../../contract/glossary.js';
import { CAPS, PAGE_LIMIT } from '../../contract/limits.js';
import { comparison } from '../../contract/order.js';
import type { Read } from '../../contract/read.js';
import { mainRowSchema, mainRows, valuesOf } from '../../contract/rows.js';
import { allOrEngines } from '../../contract/slice.js';
import { allEngines, counted } from '../../contract/wording.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import { CommandError } from '../command-error.js';
import { type Format, json, rowWriter } from '../render/format.js';
import { type Comparison, type Picked, picked } from '../render/picked.js';
import { print } from '../render/terminal.js';
import type { TableView } from '../render/view.js';
import { type Headed, headingLines, headingOf } from '../render/wording.js';
import type { ApiCommand } from './api-command.js';
import { formatOf, measuredIn, noteOf, printNotes, type ReadFlags, remember, requestParams } from './read.js';

/** A read whose rows can be requested in pages. */
export type ListRead = Read & { readonly path: string; readonly rows: string };

/** A response of the API: rows, and the fields around them; of a page, a cursor too. */
type Envelope = object & { readonly next_cursor?: string | null };
type Page = object & { readonly next_cursor: string | null };

interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
}

/**
 * Requests pages until `limit` rows have arrived. The request for the last page has exactly the number of missing rows, so
 * that its next_cursor continues directly after the last row.
 * @param limit The total number of rows; infinite: every row.
 */
async function* pagesOf(
  request: (page: PageRequest) => PromiseLike<Page>,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  rowsOf: (page: Page) => readonly unknown[],
): AsyncGenerator<Page, void, undefined> {
  let next: string | null | undefined = cursor;
  for (let missing = limit; missing > 0 && next !== null; ) {
    const page: Page = await request({ cursor: next, limit: Math.min(missing, PAGE_LIMIT.maximum) });
    yield page;
    if (page.next_cursor !== null && page.next_cursor === next) {
      throw new CommandError('unexpected', 'The server repeats a cursor.');
    }
    missing -= rowsOf(page).length;
    next = page.next_cursor;
  }
}

/** The rows that the flags select. */
interface Selection {
  /** Where to continue in the order of pages; empty: at the first page; undefined: in the order of the unpaged read. */
  readonly cursor?: string;
  /** The total number of rows. */
  readonly limit?: number;
  readonly all?: boolean;
  /** Whether the note about more rows has the cursor: of use to programs, and to whoever came with one. */
  readonly notesCursor?: boolean;
  /** The order of `--sort`; the whole list is read before its first row is known. */
  readonly compare?: Comparison | undefined;
}

/** How to request a list. */
interface PageSource {
  readonly read: ListRead;
  /** The unpaged read. */
  top(): PromiseLike<Envelope>;
  page(request: PageRequest): PromiseLike<Page>;
}

/** A part of the output, and notes about the rows that are left out. */
interface Part {
  readonly envelope: Envelope;
  readonly notes: readonly string[];
}

/** The most rows of the unpaged read; undefined: it has every row. */
const capOf = ({ path }: ListRead): number | undefined =>
  (CAPS as { readonly [list: string]: number | undefined })[path];

/**
 * The list in the order of the unpaged read or, with a cursor, in the order of pages. If both orders are the same, rows
 * arrive page by page. If they differ and the selection exceeds the unpaged read, every page is read before the first row
 * is known.
 */
async function* listing(source: PageSource, selection: Selection): AsyncGenerator<Part, void, undefined> {
  const { read } = source;
  const { cursor, limit, all = false, compare } = selection;
  const cap = capOf(read);
  const { order } = read;
  if (compare) yield cut(source, await sorted(source, compare), all ? undefined : (limit ?? cap));
  else if (cursor === undefined && limit === undefined && !all) yield whole(source, await source.top(), cap);
  else if (cursor !== undefined || (cap !== undefined && order === undefined))
    yield* paged(source, selection);
  else if (cap === undefined || (limit ?? cap + 1) <= cap) yield cut(source, await source.top(), limit, cap);
  else yield cut(source, await sorted(source, comparison(order!) as Comparison), limit);
}

/** The unpaged read, unchanged. */
function whole({ read }: PageSource, envelope: Envelope, cap: number | undefined): Part {
  const capped = mainRows(read, envelope).length === cap;
  return { envelope, notes: capped ? [`At most ${cap} rows unless --limit or --all asks for more.`] : [] };
}

/** The first rows. This order has no cursor, so `next_cursor` is null if no row is left, else undefined. */
function cut({ read }: PageSource, envelope: Envelope, limit: number | undefined, cap?: number): Part {
  const rows = mainRows(read, envelope);
  const kept = rows.slice(0, limit);
  const part = { ...envelope, [read.rows]: kept };
  const isWhole = rows.length !== cap;
  if (kept.length < rows.length) {
    const of = isWhole ? ` of ${rows.length}` : '';
    return { envelope: part, notes: [`The first ${kept.length}${of}; --all prints every row.`] };
  }
  return { envelope: isWhole ? { ...part, next_cursor: null } : part, notes: [] };
}

/** All rows, sorted in an order that differs from the order of pages. */
async function sorted(source: PageSource, compare: Comparison): Promise<Envelope> {
  const { read } = source;
  const pages: Envelope[] = [];
  if (capOf(read) === undefined) pages.push(await source.top());
  else for await (const { envelope } of paged(source, { all: true })) pages.push(envelope);
  const rows = pages.flatMap((page) => mainRows(read, page));
  const { next_cursor: _, ...first } = pages[0]!;
  return { ...first, [read.rows]: rows.sort(compare) };
}

/** Page by page, in the order of the API. */
async function* paged(
  { read, page }: PageSource,
  { cursor = '', limit = PAGE_LIMIT.default, all, notesCursor }: Selection,
): AsyncGenerator<Part, void, undefined> {
  const from = { cursor: cursor === '' ? undefined : cursor, limit: all ? Number.POSITIVE_INFINITY : limit };
  let count = 0;
  for await (const envelope of pagesOf(page, from, (one) => mainRows(read, one))) {
    count += mainRows(read, envelope).length;
    const { next_cursor: next } = envelope;
    const more = notesCursor ? `more with --cursor ${next}` : 'a higher --limit has more, --all every row.';
    yield { envelope, notes: next === null ? [] : [`${counted(count, 'row')}; ${more}`] };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each list has parameters of its own, which its flags state
type ListParams = any;

/** The methods of the client for a list. */
interface ListReader {
  list(params: ListParams, options: CallOptions): PromiseLike<Page>;
  top(params: ListParams, options: CallOptions): PromiseLike<object>;
}

/** How a command requests a list, and shows it. */
export interface ListPrinting<Row> {
  readonly request: (svc: SvcClient) => ListReader;
  readonly view: TableView<Row>;
}

/** Requests a list with the parameters from the flags, and prints its rows, part by part as they arrive. */
export async function printList<Row>(
  command: ApiCommand,
  flags: ReadFlags & Selection,
  read: ListRead,
  { request, view }: ListPrinting<Row>,
): Promise<void> {
  const format = formatOf(flags);
  const chosen = picked(mainRowSchema(read), flags);
  if (chosen.compare && flags.cursor !== undefined)
    throw new CommandError('usage', '--sort does not go with --cursor, which has the order of pages.');
  const { cursor: _, limit: __, ...own } = read.params;
  const params = requestParams(own, flags);
  const list = request(command.connect(command.settle(flags)));
  const options = { signal: command.signal };
  const waitFor = <T>(response: PromiseLike<T>) =>
    command.progress.during(`Reading ${read.path} …`, response);
  const source: PageSource = {
    read,
    top: () => waitFor(list.top(params, options)),
    page: (page) => waitFor(list.list({ ...params, ...page }, options)),
  };
  const notesCursor = format !== 'table' || flags.cursor !== undefined;
  const parts = listing(source, { ...flags, notesCursor, compare: chosen.compare });
  if (format === 'json') return print(json(await joined(command, read, parts, chosen)));
  const writer = rowWriter(format, view, chosen);
  let notes: readonly string[] = [];
  let isHeaded = false;
  let stated: readonly string[] = [];
  for await (const { envelope, notes: partNotes } of parts) {
    await remember(command, envelope);
    const text = writer.add(mainRows(read, measuredIn(read.response, envelope, format)) as readonly Row[]);
    const heading = isHeaded || chosen.isNarrowed ? '' : headingOfList(format, read, envelope);
    // Nothing is below the heading of an empty table but the note, which begins with an empty line.
    const output = text === '' ? heading.replace(/\n$/, '') : heading + text;
    // An empty write does not fail when the reader of standard output is gone.
    if (output !== '') await print(output);
    isHeaded = true;
    stated = noteOf(envelope, format);
    notes = partNotes;
  }
  printNotes(command, format, [...writer.footnotes, ...stated, ...notes]);
}

/** The heading of a list about one brand, if the server states its window. */
function headingOfList(format: Format, { params }: ListRead, envelope: Envelope): string {
  if (!('brand' in envelope && 'window' in envelope)) return '';
  const unfiltered = params.engine === allOrEngines ? allEngines : SEARCH_ENGINES;
  return headingOf(format, headingLines(envelope as Envelope & Headed, undefined, unfiltered));
}

/** All parts as one envelope, with the next_cursor of the last. */
async function joined(
  command: ApiCommand,
  read: ListRead,
  parts: AsyncIterable<Part>,
  { fields, isNarrowed }: Picked,
): Promise<object> {
  let envelopeFields: object = {};
  let next: string | null | undefined;
  const rows: object[] = [];
  for await (const { envelope } of parts) {
    await remember(command, envelope);
    for (const row of mainRows(read, envelope)) rows.push(row);
    const { next_cursor, ...own } = envelope;
    envelopeFields = { ...own, ...envelopeFields };
    next = next_cursor;
  }
  const values = isNarrowed ? rows.map((row) => valuesOf(row, fields)) : rows;
  return { ...envelopeFields, [read.rows]: values, ...(next !== undefined && { next_cursor: next }) };
}
