/** Selects the rows of a list that a command prints, and their order. */
import { CAPS, PAGE_LIMIT } from '../../contract/limits.js';
import { comparison } from '../../contract/order.js';
import type { Read } from '../../contract/read.js';
import {
  type ListName,
  type PageOf,
  type ResponseOf,
  type RowOf,
  resources,
} from '../../contract/registry.js';
import { mainRowSchema, valuesOf } from '../../contract/rows.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { ParamsOf, TopParamsOf } from '../../sdk/resources.js';
import { CommandError } from '../failure/command-error.js';
import { type Format, json, rowWriter } from '../render/format.js';
import { print } from '../render/output.js';
import { type Comparison, type Picked, picked } from '../render/picked.js';
import { headingOf, type Sliced, sliceWords } from '../render/slice.js';
import type { TableView } from '../render/view.js';
import { listFlags } from './flags.js';
import type { ReadCommandClass } from './read-command.js';
import { given, noteOf, ReadCommand, type ReadFlags, shownIn } from './read-command-base.js';

/** A page of a list. */
interface Page {
  readonly next_cursor: string | null;
}

interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
}

/**
 * Requests pages until `limit` rows have arrived. The request for the last page has exactly the number of missing rows, so
 * that its next_cursor continues directly after the last row.
 * @param limit The total number of rows; infinite: every row.
 * @param rowsOf Returns the rows of a page.
 */
async function* pagesOf<P extends Page>(
  request: (page: PageRequest) => PromiseLike<P>,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  rowsOf: (page: P) => readonly unknown[],
): AsyncGenerator<P, void, undefined> {
  let next: string | null | undefined = cursor;
  for (let missing = limit; missing > 0 && next !== null; ) {
    const page: P = await request({ cursor: next, limit: Math.min(missing, PAGE_LIMIT.maximum) });
    yield page;
    if (page.next_cursor !== null && page.next_cursor === next) {
      throw new CommandError('unexpected', 'The server gave the same cursor twice.');
    }
    missing -= rowsOf(page).length;
    next = page.next_cursor;
  }
}

/** The rows that the flags select. */
interface Selection {
  /** Where to continue in the order of pages; empty: at the first page. Absent: the order of the unpaged read. */
  readonly cursor?: string;
  /** The total number of rows. */
  readonly limit?: number;
  readonly all?: boolean;
  /** The order of `--sort`; the whole list is read before its first row is known. */
  readonly compare?: Comparison | undefined;
}

/** How to request a list. */
interface Source<N extends ListName> {
  readonly name: N;
  /** The unpaged read. */
  top(): PromiseLike<Envelope<N>>;
  page(request: PageRequest): PromiseLike<Envelope<N> & Page>;
}

/** A response of the API: rows, and the fields around them. */
type Envelope<N extends ListName> = ResponseOf<N> & Partial<Page>;

/** A part of the output, and notes about the rows that are left out. */
interface Part<N extends ListName> {
  readonly envelope: Envelope<N>;
  readonly notes: readonly string[];
}

/** The most rows of the unpaged read; undefined: it has every row. */
const capOf = (name: ListName): number | undefined =>
  (CAPS as { readonly [list: string]: number | undefined })[name];

/** The rows of a response, which are in the field that the contract names. */
const rowsOf = <N extends ListName>(name: N, envelope: Envelope<N>): readonly RowOf<N>[] =>
  (envelope as unknown as { [field: string]: RowOf<N>[] })[resources[name].rows]!;

/**
 * The list in the order of the unpaged read or, with a cursor, in the order of pages. If both orders are the same, rows
 * arrive page by page. If they differ and the selection exceeds the unpaged read, every page is read before the first row
 * is known.
 */
async function* listing<N extends ListName>(
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

/** The methods of the client for a list. */
interface ListReader<N extends ListName> {
  list(params: ParamsOf<N>, options: CallOptions): PromiseLike<PageOf<N>>;
  top(params: TopParamsOf<N>, options: CallOptions): PromiseLike<ResponseOf<N>>;
}
type ListReaders = { readonly [N in ListName]: ListReader<N> };

/** How to show a list. */
interface ListDefinition<N extends ListName> {
  readonly view: TableView<RowOf<N>>;
}

/**
 * The base class of a command that prints a list. The contract provides summary, flags and the text of the spinner.
 * @param name The list in the registry of the contract, which is also its name in the client.
 */
export function listCommand<N extends ListName>(name: N, { view }: ListDefinition<N>): ReadCommandClass {
  const { summary, params } = resources[name];
  return class extends ListCommand<N> {
    // Accessors, for the reason in `readCommand`.
    static override get summary() {
      return summary;
    }
    static override get flags() {
      return listFlags(params, mainRowSchema(resources[name]));
    }

    protected override readonly resource = name;
    protected override readonly view = view;
  };
}

/** Requests a list and prints its rows, part by part as they arrive. */
abstract class ListCommand<N extends ListName> extends ReadCommand {
  protected abstract readonly resource: N;
  protected abstract readonly view: TableView<RowOf<N>>;

  override async run(): Promise<void> {
    const flags = await this.readFlags<ReadFlags & Selection>();
    const format = this.formatOf(flags);
    const chosen = picked(mainRowSchema(resources[this.resource]), flags);
    if (chosen.compare && flags.cursor !== undefined)
      throw new CommandError('usage', '--sort does not go with --cursor, which has the order of pages.');
    const { cursor: _, limit: __, ...params } = resources[this.resource].params;
    const slice = given(params, flags);
    const readers: ListReaders = this.connect(this.settle(flags));
    const parts = this.#parts(readers[this.resource], slice, { ...flags, compare: chosen.compare });
    if (format === 'json') await print(json(await this.#joined(parts, chosen)));
    else await this.#printRows(parts, format, chosen);
  }

  /** @param slice The parameters of each request besides those of pages. */
  #parts(
    reader: ListReader<N>,
    slice: object,
    selection: Selection,
  ): AsyncGenerator<Part<N>, void, undefined> {
    const options = { signal: this.signal };
    const source = {
      name: this.resource,
      top: () => this.#waitFor(reader.top(slice as TopParamsOf<N>, options) as PromiseLike<Envelope<N>>),
      page: (request: PageRequest) =>
        this.#waitFor(reader.list({ ...slice, ...request } as ParamsOf<N>, options)),
    };
    return listing(source, selection);
  }

  #waitFor<T>(request: PromiseLike<T>): Promise<T> {
    return this.progress.during(`Reading ${this.resource} …`, request);
  }

  /** All parts as one envelope, with the next_cursor of the last. */
  async #joined(parts: AsyncIterable<Part<N>>, { fields, isNarrowed }: Picked): Promise<object> {
    let joined: object = {};
    let next: string | null | undefined;
    const rows: RowOf<N>[] = [];
    for await (const { envelope } of parts) {
      this.remember(envelope);
      for (const row of rowsOf(this.resource, envelope)) rows.push(row);
      const { next_cursor, ...own } = envelope as Envelope<N>;
      joined = { ...own, ...joined };
      next = next_cursor;
    }
    const shown = isNarrowed ? rows.map((row) => valuesOf(row, fields)) : rows;
    const cursor = next === undefined ? {} : { next_cursor: next };
    return { ...joined, [resources[this.resource].rows]: shown, ...cursor };
  }

  async #printRows(
    parts: AsyncIterable<Part<N>>,
    format: Exclude<Format, 'json'>,
    chosen: Picked,
  ): Promise<void> {
    const { response } = resources[this.resource];
    const writer = rowWriter(format, this.view, chosen);
    let notes: readonly string[] = [];
    let slice: string | null = null;
    let stated: readonly string[] = [];
    for await (const { envelope, notes: partNotes } of parts) {
      this.remember(envelope);
      const text = writer.add(rowsOf(this.resource, shownIn(format, response, envelope)));
      const heading = slice === null ? headingOf(format, sliceWords(envelope as Sliced)) : '';
      // Nothing is below the heading of an empty table but the note, which begins with an empty line.
      const output = text === '' ? heading.replace(/\n$/, '') : heading + text;
      // An empty write does not fail when the reader of standard output is gone.
      if (output !== '') await print(output);
      slice = sliceWords(envelope as Sliced);
      stated = noteOf(envelope);
      notes = partNotes;
    }
    this.footnotes(format, [...writer.footnotes, ...stated, ...notes]);
  }
}
