import { mainRowSchema } from '../../contract/main-rows.js';
import type { Read } from '../../contract/read.js';
import {
  type ListName,
  type PageOf,
  type ResponseOf,
  type RowOf,
  resources,
} from '../../contract/registry.js';
import { valuesOf } from '../../rows/fields.js';
import { onlyZeros, unmeasured } from '../../rows/unmeasured.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import type { ParamsOf, TopParamsOf } from '../../sdk/resources.js';
import { CommandError } from '../failure/command-error.js';
import { type Format, json, rowWriter } from '../render/format.js';
import { print } from '../render/output.js';
import { type Picked, picked } from '../render/picked.js';
import { headingOf, type Sliced, sliceWords } from '../render/slice.js';
import type { TableView } from '../render/view.js';
import { listFlags } from './flags.js';
import { type Envelope, listing, type Part, rowsOf, type Selection } from './listing.js';
import type { PageRequest } from './paging.js';
import type { ReadCommandClass } from './read-command.js';
import { given, noteOf, ReadCommand, type ReadFlags } from './read-command-base.js';

/** The methods of the client for a list. */
interface ListReader<N extends ListName> {
  list(params: ParamsOf<N>, options: CallOptions): PromiseLike<PageOf<N>>;
  top(params: TopParamsOf<N>, options: CallOptions): PromiseLike<ResponseOf<N>>;
}
type ListReaders = { readonly [N in ListName]: ListReader<N> };

/** How to show a list. */
interface ListDefinition<N extends ListName> {
  readonly view: TableView<RowOf<N>>;
  /** Whether a row shows that no run was collected for it. */
  readonly unsampled?: (row: RowOf<N>) => boolean;
}

/**
 * The base class of a command that prints a list. The contract provides summary, flags and the text of the spinner.
 * @param name The list in the registry of the contract, which is also its name in the client.
 */
export function listCommand<N extends ListName>(
  name: N,
  { view, unsampled = () => false }: ListDefinition<N>,
): ReadCommandClass {
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
    protected override readonly unsampled = unsampled;
  };
}

/** Requests a list and prints its rows, part by part as they arrive. */
abstract class ListCommand<N extends ListName> extends ReadCommand {
  protected abstract readonly resource: N;
  protected abstract readonly view: TableView<RowOf<N>>;
  protected abstract readonly unsampled: (row: RowOf<N>) => boolean;

  override async run(): Promise<void> {
    const flags = await this.readFlags<ReadFlags & Selection>();
    const format = this.formatOf(flags);
    const chosen = picked(mainRowSchema(resources[this.resource]), flags);
    if (chosen.compare && flags.cursor !== undefined)
      throw new CommandError('usage', '--sort does not go with --cursor, which has the order of pages.');
    const { cursor: _, limit: __, ...params } = resources[this.resource].params;
    const slice = given(params, flags);
    const svc = this.connect(this.settle(flags));
    const readers: ListReaders = svc;
    const parts = this.#parts(readers[this.resource], slice, { ...flags, compare: chosen.compare });
    if (format === 'json') await print(json(await this.#joined(parts, chosen)));
    else {
      let runs: Promise<boolean> | undefined;
      const hasRuns = () => {
        runs ??= this.#hasRuns(svc, slice);
        return runs;
      };
      await this.#printRows(parts, format, chosen, hasRuns);
    }
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
    hasRuns: () => Promise<boolean>,
  ): Promise<void> {
    const writer = rowWriter(format, this.view, chosen);
    let notes: readonly string[] = [];
    let slice: string | null = null;
    let stated: readonly string[] = [];
    let isSampled = false;
    for await (const { envelope, notes: partNotes } of parts) {
      const rows = rowsOf(this.resource, envelope);
      this.remember(envelope);
      const text = writer.add(format === 'ndjson' ? rows : await this.#measured(rows, hasRuns));
      const heading = slice === null ? headingOf(format, sliceWords(envelope as Sliced)) : '';
      // Nothing is below the heading of an empty table but the note, which begins with an empty line.
      const output = text === '' ? heading.replace(/\n$/, '') : heading + text;
      // An empty write does not fail when the reader of standard output is gone.
      if (output !== '') await print(output);
      slice = sliceWords(envelope as Sliced);
      stated = noteOf(envelope);
      isSampled ||= rows.some((row) => !this.unsampled(row));
      notes = partNotes;
    }
    // Servers before 2026-11-23 do not say that a slice has no answer.
    const isNothing = stated.length === 0 && slice !== null && !isSampled && !(await hasRuns());
    const nothing = isNothing ? [`No answer was collected for ${slice}.`] : stated;
    this.footnotes(format, [...writer.footnotes, ...nothing, ...notes]);
  }

  /**
   * The rows with null for zeros that are not measured. If all rows hold only zeros, a request for the overview finds out
   * whether any run was collected.
   */
  async #measured(rows: readonly RowOf<N>[], hasRuns: () => Promise<boolean>): Promise<readonly RowOf<N>[]> {
    const { zeros = [] }: Read = resources[this.resource];
    if (zeros.length === 0 || rows.length === 0 || !onlyZeros(rows, zeros)) return rows;
    return (await hasRuns()) ? rows : rows.map((row) => unmeasured(row, zeros));
  }

  /** Whether any run was collected for the scorecard of the slice: one request. */
  async #hasRuns(svc: SvcClient, slice: object): Promise<boolean> {
    const { run_count } = await this.#waitFor(svc.overview(slice, { signal: this.signal }));
    return run_count > 0;
  }
}
