import {
  type ListName,
  type PageOf,
  type ResponseOf,
  type RowOf,
  resources,
} from '../../contract/registry.js';
import type { Schema } from '../../contract/schema.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { type Format, json, rowWriter } from '../render/format.js';
import { print } from '../render/output.js';
import { onlyZeros, unmeasured } from '../render/unmeasured.js';
import type { TableView } from '../render/view.js';
import { type Envelope, listing, type Part, rowsOf, type Wanted } from './listing.js';
import type { PageRequest } from './paging.js';
import { ReadCommand, type ReadFlags } from './read-command.js';

/** The part of the client that a list command needs. */
interface ListReader<N extends ListName> {
  list(params: PageRequest, options: CallOptions): PromiseLike<PageOf<N>>;
  top(params: undefined | object, options: CallOptions): PromiseLike<ResponseOf<N>>;
}

/** The base of the six lists: `reader` gets the rows, `view` shows them, part by part as they come. */
export abstract class ListCommand<N extends ListName> extends ReadCommand {
  protected abstract readonly resource: N;
  protected abstract readonly view: TableView<RowOf<N>>;
  protected abstract reader(svc: SvcClient): ListReader<N>;
  /** Fields that the contract sends as 0 where no run was collected; only these are looked at. */
  protected readonly zeros: readonly (keyof RowOf<N> & string)[] = [];

  override async run(): Promise<void> {
    const flags = await this.readFlags<ReadFlags & Wanted>();
    const format = this.formatOf(flags);
    const svc = this.connect(this.settle(flags));
    const parts = this.#parts(this.reader(svc), flags);
    if (format === 'json') await print(json(await this.#joined(parts)));
    else await this.#printRows(parts, format, svc);
  }

  #parts(reader: ListReader<N>, wanted: Wanted): AsyncGenerator<Part<N>, void, undefined> {
    const options = { signal: this.signal };
    const source = {
      name: this.resource,
      top: () => this.#waitFor(reader.top(undefined, options) as PromiseLike<Envelope<N>>),
      page: (request: PageRequest) => this.#waitFor(reader.list(request, options)),
    };
    return listing(source, wanted);
  }

  #waitFor<T>(answer: PromiseLike<T>): Promise<T> {
    return this.progress.during(`Reading ${this.resource} …`, answer);
  }

  /** All parts as one envelope, with the next_cursor of the last. */
  async #joined(parts: AsyncIterable<Part<N>>): Promise<object> {
    let joined: object = {};
    const rows: RowOf<N>[] = [];
    for await (const { envelope } of parts) {
      for (const row of rowsOf(this.resource, envelope)) rows.push(row);
      const { next_cursor } = envelope;
      joined = { ...envelope, ...joined, ...(next_cursor !== undefined && { next_cursor }) };
    }
    return { ...joined, [resources[this.resource].rows]: rows };
  }

  async #printRows(
    parts: AsyncIterable<Part<N>>,
    format: Exclude<Format, 'json'>,
    svc: SvcClient,
  ): Promise<void> {
    const writer = rowWriter(format, this.view, this.#rowSchema());
    let notes: readonly string[] = [];
    for await (const { envelope, rest } of parts) {
      const rows = rowsOf(this.resource, envelope);
      const text = writer.add(format === 'ndjson' ? rows : await this.#measured(rows, svc));
      // An empty write would tell nothing about whether anybody still reads.
      if (text !== '') await print(text);
      notes = rest;
    }
    this.footnotes(format, [...writer.footnotes, ...notes]);
  }

  /** The rows with null for zeros that nothing measured; where only zeros came, the overview knows whether anything ran. */
  async #measured(rows: readonly RowOf<N>[], svc: SvcClient): Promise<readonly RowOf<N>[]> {
    const { zeros } = this;
    if (zeros.length === 0 || rows.length === 0 || !onlyZeros(rows, zeros)) return rows;
    const { run_count } = await this.#waitFor(svc.overview(undefined, { signal: this.signal }));
    return run_count > 0 ? rows : rows.map((row) => unmeasured(row, zeros));
  }

  #rowSchema(): Schema {
    const { rows, response } = resources[this.resource];
    const list = (response.fields as { readonly [name: string]: Schema })[rows];
    if (list?.kind !== 'list') throw new TypeError(`${rows} is no list of the contract`);
    return list.items;
  }
}
