import { noteFor } from '../../contract/notes.js';
import type { Params } from '../../contract/params.js';
import { printable } from '../../contract/printable.js';
import type { Schema } from '../../contract/schema.js';
import { asMeasured } from '../../contract/unmeasured.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { cacheFolder, remember } from '../completion/cache.js';
import { CommandError, exitCodes } from '../failure/command-error.js';
import type { Progress } from '../progress/progress.js';
import { defaultFormat, type Format } from '../render/format.js';
import type { Shown } from '../render/object-format.js';
import { print } from '../render/output.js';
import { type Picked, type PickFlags, picked } from '../render/picked.js';
import { today } from '../render/today.js';
import { ApiCommand, type ApiFlags } from './api-command.js';
import { formatFlag } from './flags.js';
import { type Rule, rulesOf, type ThresholdFlags } from './thresholds.js';
import { intervalMs, watch, withInterval } from './watch.js';

export interface ReadFlags extends ApiFlags, PickFlags, ThresholdFlags {
  readonly format?: Format;
  readonly raw?: boolean;
  /** Seconds between two reads; absent: one read. */
  readonly watch?: string;
}

/** The context in which a read is printed. */
export interface RequestContext<F = object> {
  readonly svc: SvcClient;
  readonly options: CallOptions;
  /** The parsed flags. */
  readonly flags: F;
  /** The fields and the order of the rows. */
  readonly picked: Picked;
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
  /** The schema of what is printed in the formats for programs: a row, or the whole response. */
  readonly row: Schema;
  /** The schema of the response, whose numbers can have thresholds. */
  readonly response: Schema;
  /** The JSON with the first rows, where the command makes it itself; absent: it is the payload of the API, whole. */
  readonly limited?: (data: Data, limit: number) => Data;
  /** The notes below the output; absent: the note in the data. */
  readonly notes?: (data: Data, format: Format) => readonly string[];
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
  /** Collects what is written, for a read that is drawn as a whole. */
  #frame: string[] | undefined;

  /** @throws CommandError `usage` for `--raw` with another format than csv: only csv changes texts. */
  protected formatOf({ json, format = defaultFormat(), raw }: ReadFlags): Format {
    if (raw && (json || format !== 'csv'))
      throw new CommandError('usage', '--raw works only with --format csv.');
    if (raw) return 'raw-csv';
    return json ? 'json' : format;
  }

  /** The parsed flags; the contract defines which ones exist. */
  protected async readFlags<F extends ReadFlags>(): Promise<F> {
    this.argv = withInterval(this.argv);
    const { flags } = await this.parse(this.ctor);
    return flags as unknown as F;
  }

  /**
   * Sends the request with the parameters from the flags, then prints the data, the footnotes and the notes; with --watch,
   * again and again.
   */
  protected async present<Data extends object>(read: ReadRequest<Data>): Promise<void> {
    const flags = await this.readFlags<ReadFlags & Record<string, unknown>>();
    const format = this.formatOf(flags);
    const picked = this.#picked(format, flags, read);
    const rules = rulesOf(flags, read.response);
    const everyMs = flags.watch === undefined ? undefined : intervalMs(flags.watch);
    const settings = this.settle(flags);
    const svc = everyMs === undefined ? this.connect(settings) : this.connectAgain(settings);
    const options = { signal: this.signal };
    const once = () => this.#printed(read, format, { svc, options, flags, picked, progress: this.progress });
    if (everyMs !== undefined)
      return watch({ everyMs, signal: this.signal, read: () => this.collected(once) });
    this.#judge(rules, asMeasured(read.response, await once()));
  }

  /** One read, from its request to its notes. */
  async #printed<Data extends object>(
    { params, waiting, request, show, response, limited = whole, notes = noteOf }: ReadRequest<Data>,
    format: Format,
    context: RequestContext<ReadFlags & Record<string, unknown>>,
  ): Promise<Data> {
    const { svc, options, flags } = context;
    const data = await this.progress.during(waiting, request(svc, given(params, flags), options));
    const { limit } = flags;
    const cut = format === 'json' && limit !== undefined ? limited(data, limit) : data;
    const { text, footnotes } = await show(format, shownIn(format, response, cut), context);
    this.remember(data);
    if (text !== '') await this.write(text);
    this.footnotes(format, [...footnotes, ...notes(data, format)]);
    return data;
  }

  /** @throws CommandError `usage` for --fields, --sort and --limit with JSON, which is the payload of the API. */
  #picked<Data>(format: Format, flags: PickFlags, { row, limited }: ReadRequest<Data>): Picked {
    const refused = (['fields', 'sort', ...(limited ? [] : (['limit'] as const))] as const).find(
      (name) => flags[name] !== undefined,
    );
    if (format === 'json' && refused !== undefined) {
      const flag = `--${refused}`;
      throw new CommandError(
        'usage',
        `${flag} does not go with JSON here, which is the payload of the API.`,
        {
          hint: `--format ndjson ${flag} … prints one JSON object per row.`,
        },
      );
    }
    return picked(row, flags);
  }

  /** Prints a line for each broken rule, and sets the exit code. The data is already printed, so no error is thrown. */
  #judge(rules: readonly Rule[], data: object): void {
    const verdicts = rules.flatMap((rule) => rule(data) ?? []);
    for (const { outcome, message } of verdicts) {
      if (outcome === 'unchecked') this.note(message);
      else {
        process.stderr.write(`${printable(message)}\n`);
        process.exitCode = exitCodes.incomplete;
      }
    }
  }

  /** Keeps the names of brands and prompts for completion, if a person uses the command. */
  protected remember(data: object): void {
    if (process.stderr.isTTY && this.server !== undefined) remember(cacheFolder(), this.server, data);
  }

  /** Prints a text, or collects it. */
  protected async write(text: string): Promise<void> {
    if (this.#frame) this.#frame.push(text);
    else await print(text);
  }

  /** Runs `work`. @returns What it writes; on a terminal with its notes, which are part of what is drawn. */
  protected async collected(work: () => Promise<unknown>): Promise<string> {
    const frame: string[] = [];
    this.#frame = frame;
    if (process.stdout.isTTY) this.notes = { write: (text) => frame.push(text) };
    await work();
    return frame.join('');
  }

  protected footnotes(format: Format, notes: readonly string[]): void {
    if (format === 'json' || notes.length === 0) return;
    const isTable = format === 'table' || format === 'md';
    if (isTable) this.note('');
    for (const note of notes) this.note((isTable ? noteFor('table', note) : note) ?? '');
  }
}

/**
 * The parameters of a request that the flags give, without the brand, which the client adds itself. A window with --from and
 * without --to ends today: the API requires both days.
 */
export function given(params: Params, flags: object): object {
  const { brand: _, ...own } = params;
  const all = flags as { readonly [name: string]: unknown };
  const values = Object.fromEntries(
    Object.keys(own).flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  );
  return values.from !== undefined && values.to === undefined ? { ...values, to: today() } : values;
}

/** A body as a format has it: formats with the JSON of the API keep its zeros, all others have null. */
export const shownIn = <Data extends object>(format: Format, response: Schema, body: Data): Data =>
  format === 'json' || format === 'ndjson' ? body : asMeasured(response, body);

const whole = <Data>(data: Data): Data => data;
