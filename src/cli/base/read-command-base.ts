import type { Params } from '../../contract/params.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { CommandError } from '../failure/command-error.js';
import type { Progress } from '../progress/progress.js';
import type { Format } from '../render/format.js';
import { inTableTerms } from '../render/notes.js';
import type { Shown } from '../render/object-format.js';
import { print } from '../render/output.js';
import { today } from '../render/today.js';
import { ApiCommand, type ApiFlags } from './api-command.js';
import { formatFlag } from './flags.js';

export interface ReadFlags extends ApiFlags {
  readonly format?: Format;
  readonly raw?: boolean;
}

/** The context in which a read is printed. */
export interface RequestContext<F = object> {
  readonly svc: SvcClient;
  readonly options: CallOptions;
  /** The parsed flags. */
  readonly flags: F;
  readonly progress: Progress;
}

/** Sends one request. */
export type Request<P, Data> = (svc: SvcClient, params: P, options: CallOptions) => PromiseLike<Data>;

/** Formats the data of a read. */
export type Show<Data, F = object> = (
  format: Format,
  data: Data,
  context: RequestContext<F>,
) => Shown | Promise<Shown>;

/** One request of a command, from its parameters to its output. */
interface ReadRequest<Data> {
  /** The parameters that the request takes from the flags. */
  readonly params: Params;
  /** The text of the spinner while the request is open. */
  readonly waiting: string;
  readonly request: Request<object, Data>;
  readonly show: Show<Data>;
  /** The notes below the output; absent: the note in the data. */
  readonly notes?: (data: Data) => readonly string[];
}

/** The note that the server sends with the data, if any. */
export function noteOf(data: object): string[] {
  const { note } = data as { note?: string | null };
  return note ? [note] : [];
}

/** The base of every command that prints a read. */
export abstract class ReadCommand extends ApiCommand {
  static override baseFlags = { ...ApiCommand.baseFlags, ...formatFlag };
  protected override readonly repeatable = true;

  /** @throws CommandError `usage` for `--raw` with another format than csv: only csv changes texts. */
  protected formatOf({ json, format = 'table', raw }: ReadFlags): Format {
    if (raw && (json || format !== 'csv')) throw new CommandError('usage', '--raw goes with --format csv.');
    if (raw) return 'raw-csv';
    return json ? 'json' : format;
  }

  /** The parsed flags; the contract defines which ones exist. */
  protected async readFlags<F extends ReadFlags>(): Promise<F> {
    const { flags } = await this.parse(this.ctor);
    return flags as unknown as F;
  }

  /** Sends the request with the parameters from the flags, then prints the data, the footnotes and the notes. */
  protected async present<Data extends object>(read: ReadRequest<Data>): Promise<void> {
    const { params, waiting, request, show, notes = noteOf } = read;
    const flags = await this.readFlags<ReadFlags & Record<string, unknown>>();
    const format = this.formatOf(flags);
    const svc = this.connect(this.settle(flags));
    // The client adds the brand to each request itself.
    const { brand: _, ...own } = params;
    const given = Object.fromEntries(Object.keys(own).map((name) => [name, flags[name]]));
    const options = { signal: this.signal };
    const data = await this.progress.during(waiting, request(svc, untilToday(given), options));
    const { text, footnotes } = await show(format, data, { svc, options, flags, progress: this.progress });
    if (text !== '') await print(text);
    this.footnotes(format, [...footnotes, ...notes(data)]);
  }

  protected footnotes(format: Format, notes: readonly string[]): void {
    if (format === 'json' || notes.length === 0) return;
    const isTable = format === 'table' || format === 'md';
    if (isTable) this.note('');
    for (const note of notes) this.note(isTable ? inTableTerms(note) : note);
  }
}

/** Ends a window with --from and without --to today: the API requires both days. */
const untilToday = <P extends { readonly [name: string]: unknown }>(given: P): P =>
  given.from !== undefined && given.to === undefined ? { ...given, to: today() } : given;
