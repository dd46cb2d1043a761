import type { Params } from '../../contract/params.js';
import type { ListName, ResourceName, ResponseOf } from '../../contract/registry.js';
import { resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { CommandError } from '../failure/command-error.js';
import type { Format } from '../render/format.js';
import { inTableWords } from '../render/notes.js';
import { type SheetView, sheet } from '../render/object-format.js';
import { print } from '../render/output.js';
import { ApiCommand, type ApiFlags } from './api-command.js';
import { formatFlag } from './flags.js';
import { today } from './today.js';

export interface ReadFlags extends ApiFlags {
  readonly format?: Format;
  readonly raw?: boolean;
}

/** A read as it is printed, and what the marks in it mean. */
export interface Shown {
  readonly text: string;
  readonly footnotes: readonly string[];
}

/** How a command asks, for what it wants to know besides. */
export interface Asking {
  readonly svc: SvcClient;
  readonly params: object;
  readonly options: CallOptions;
}

/** One question: which parameters it takes, what is said while it is open, and how the answer is printed. */
interface Asked<Data> {
  readonly params: Params;
  readonly waiting: string;
  readonly ask: (asking: Asking) => PromiseLike<Data>;
  readonly show: (format: Format, data: Data, asking: Asking) => Shown | Promise<Shown>;
  /** What is to be said about the answer; absent: its own note. */
  readonly remarks?: (data: Data) => readonly string[];
}

/** The caveats that the server states. */
export function noteOf(data: object): string[] {
  const { note } = data as { note?: string | null };
  return note ? [note] : [];
}

/** The base of every command that prints one resource. */
export abstract class ReadCommand extends ApiCommand {
  static override baseFlags = { ...ApiCommand.baseFlags, ...formatFlag };
  protected override readonly repeatable = true;

  /** @throws CommandError `usage` for `--raw` without csv, the one format that changes texts of others. */
  protected formatOf({ json, format = 'table', raw }: ReadFlags): Format {
    if (raw && (json || format !== 'csv')) throw new CommandError('usage', '--raw goes with --format csv.');
    if (raw) return 'raw-csv';
    return json ? 'json' : format;
  }

  /** The flags as typed on the command line; which there are follows from the contract. */
  protected async readFlags<F extends ReadFlags>(): Promise<F> {
    const { flags } = await this.parse(this.ctor);
    return flags as unknown as F;
  }

  /** Asks with what the flags say, prints the answer, and what there is to say about it. */
  protected async present<Data extends object>(asked: Asked<Data>): Promise<Data> {
    const { params, waiting, ask, show, remarks = noteOf } = asked;
    const flags = await this.readFlags<ReadFlags & Record<string, unknown>>();
    const format = this.formatOf(flags);
    const svc = this.connect(this.settle(flags));
    // The brand is the client's, which adds it to whatever it asks.
    const { brand: _, ...own } = params;
    const given = Object.fromEntries(Object.keys(own).map((name) => [name, flags[name]]));
    const asking = { svc, params: untilToday(given), options: { signal: this.signal } };
    const data = await this.progress.during(waiting, ask(asking));
    const { text, footnotes } = await show(format, data, asking);
    if (text !== '') await print(text);
    this.footnotes(format, [...footnotes, ...remarks(data)]);
    return data;
  }

  protected footnotes(format: Format, notes: readonly string[]): void {
    if (format === 'json' || notes.length === 0) return;
    const isTable = format === 'table' || format === 'md';
    if (isTable) this.note('');
    for (const note of notes) this.note(isTable ? inTableWords(note) : note);
  }
}

/** A window of one's own that is given without an end ends today; the API wants both days. */
const untilToday = <P extends { readonly [name: string]: unknown }>(given: P): P =>
  given.from !== undefined && given.to === undefined ? { ...given, to: today() } : given;

export type ObjectName = Exclude<ResourceName, ListName>;

/** The base of reads that answer with one object: `read` gets it, `show` says how it is printed. */
export abstract class ObjectCommand<N extends ObjectName> extends ReadCommand {
  protected abstract readonly resource: N;
  protected abstract read(svc: SvcClient, params: object, options: CallOptions): PromiseLike<ResponseOf<N>>;
  protected abstract show(format: Format, data: ResponseOf<N>, asking: Asking): Shown | Promise<Shown>;

  override async run(): Promise<ResponseOf<N>> {
    return this.present<ResponseOf<N>>({
      params: resources[this.resource].params,
      waiting: `Reading ${this.resource} …`,
      ask: ({ svc, params, options }) => this.read(svc, params, options),
      show: (format, data, asking) => this.show(format, data, asking),
    });
  }
}

/** The base of reads that answer with an object around rows: `view` shows it. */
export abstract class SheetCommand<N extends ObjectName, Row> extends ObjectCommand<N> {
  protected abstract readonly view: SheetView<ResponseOf<N>, Row>;

  protected override show(format: Format, data: ResponseOf<N>): Shown | Promise<Shown> {
    return sheet(format, this.view, data);
  }
}
