import { CAPS, PAGE_LIMIT } from '../contract/limits.js';
import { type ListName, type PageOf, type ResponseOf, type RowOf, resources } from '../contract/registry.js';
import type { Schema } from '../contract/schema.js';
import type { CallOptions } from '../sdk/call-options.js';
import type { SvcClient } from '../sdk/client.js';
import { type Format, json, rowWriter } from './format.js';
import { print } from './output.js';
import { type Page, type PageRequest, pagesOf } from './paging.js';
import { ReadCommand, type ReadFlags } from './read-command.js';
import type { TableView } from './view.js';

interface ListFlags extends ReadFlags {
  readonly cursor?: string;
  readonly limit?: number;
  readonly all?: boolean;
}

/** The part of the client that a list command needs. */
interface ListReader<N extends ListName> {
  list(params: PageRequest, options: CallOptions): PromiseLike<PageOf<N>>;
  top(params: undefined | object, options: CallOptions): PromiseLike<ResponseOf<N>>;
}

/** One answer of the API: the whole unpaged read, or a page. */
type Envelope<N extends ListName> = ResponseOf<N> & Partial<Page>;

/** The base of the six lists: `reader` gets the rows, `view` shows them, page by page as they come. */
export abstract class ListCommand<N extends ListName> extends ReadCommand {
  protected abstract readonly resource: N;
  protected abstract readonly view: TableView<RowOf<N>>;
  protected abstract reader(svc: SvcClient): ListReader<N>;

  override async run(): Promise<void> {
    const flags = await this.readFlags<ListFlags>();
    const format = this.formatOf(flags);
    const reader = this.reader(this.connect(this.settle(flags)));
    const envelopes = this.#envelopes(reader, flags);
    if (format === 'json') await print(json(await this.#joined(envelopes)));
    else await this.#printRows(envelopes, format);
  }

  /** Without limit, cursor or all the unpaged read, which has an order and caps of its own. */
  async *#envelopes(reader: ListReader<N>, flags: ListFlags): AsyncGenerator<Envelope<N>, void, undefined> {
    const options = { signal: this.signal };
    const waitFor = <T>(answer: PromiseLike<T>) => this.progress.during(`Reading ${this.resource} …`, answer);
    const { cursor, all } = flags;
    if (!all && cursor === undefined && flags.limit === undefined) {
      yield (await waitFor(reader.top(undefined, options))) as Envelope<N>;
      return;
    }
    const limit = all ? Number.POSITIVE_INFINITY : (flags.limit ?? PAGE_LIMIT.default);
    const ask = (request: PageRequest) => waitFor(reader.list(request, options));
    yield* pagesOf(ask, { cursor, limit }, (page) => this.#rows(page));
  }

  /** All pages as one envelope, with the next_cursor of the last. */
  async #joined(envelopes: AsyncIterable<Envelope<N>>): Promise<object> {
    let joined: object = {};
    const rows: RowOf<N>[] = [];
    for await (const envelope of envelopes) {
      for (const row of this.#rows(envelope)) rows.push(row);
      const { next_cursor } = envelope;
      joined = { ...envelope, ...joined, ...(next_cursor !== undefined && { next_cursor }) };
    }
    return { ...joined, [resources[this.resource].rows]: rows };
  }

  async #printRows(envelopes: AsyncIterable<Envelope<N>>, format: Exclude<Format, 'json'>): Promise<void> {
    const writer = rowWriter(format, this.view, this.#rowSchema());
    let count = 0;
    let next: string | null | undefined;
    for await (const envelope of envelopes) {
      const rows = this.#rows(envelope);
      const text = writer.add(rows);
      // An empty write would tell nothing about whether anybody still reads.
      if (text !== '') await print(text);
      count += rows.length;
      next = envelope.next_cursor;
    }
    this.footnotes(format, [...writer.footnotes, ...this.#rest(count, next)]);
  }

  /** Words about rows that were not asked for. */
  #rest(count: number, next: string | null | undefined): string[] {
    if (next) return [`${count} rows; go on with --cursor ${next}`];
    const cap = (CAPS as { [name: string]: number })[this.resource];
    if (next === undefined && count === cap) return [`The first ${cap}; --limit N or --all reads further.`];
    return [];
  }

  #rows(envelope: Envelope<N>): readonly RowOf<N>[] {
    return (envelope as unknown as { [field: string]: RowOf<N>[] })[resources[this.resource].rows]!;
  }

  #rowSchema(): Schema {
    const { rows, response } = resources[this.resource];
    const list = (response.fields as { readonly [name: string]: Schema })[rows];
    if (list?.kind !== 'list') throw new TypeError(`${rows} is no list of the contract`);
    return list.items;
  }
}
