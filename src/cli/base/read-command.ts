import type { Config, Interfaces } from '@oclif/core';
import type { InferParams, Params } from '../../contract/params.js';
import type { Read } from '../../contract/read.js';
import { type BodyOf, type ReadName, type Reads, reads } from '../../contract/registry.js';
import type { Arguments, CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import type { ToolArgumentsOf } from '../../sdk/resources.js';
import { CommandError } from '../failure/command-error.js';
import type { Progress } from '../progress/progress.js';
import type { Format } from '../render/format.js';
import { inTableTerms } from '../render/notes.js';
import { formatObject, type ObjectView, type Shown } from '../render/object-format.js';
import { print } from '../render/output.js';
import { today } from '../render/today.js';
import { ApiCommand, type ApiFlags } from './api-command.js';
import { formatFlag, paramFlags } from './flags.js';

export interface ReadFlags extends ApiFlags {
  readonly format?: Format;
  readonly raw?: boolean;
}

/** What the output of a read may need besides its data. */
export interface RequestContext<F = object> {
  readonly svc: SvcClient;
  readonly options: CallOptions;
  /** The parsed flags. */
  readonly flags: F;
  readonly progress: Progress;
}

/** Sends one request. */
type Request<P, Data> = (svc: SvcClient, params: P, options: CallOptions) => PromiseLike<Data>;

/** Formats the data of a read. */
type Show<Data, F = object> = (
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

/** The reads whose body is one object; the others are lists, see `listCommand`. */
type ObjectName = { [N in ReadName]: Reads[N] extends { rows: string } ? never : N }[ReadName];

type RequestOf<N extends ObjectName> = Request<InferParams<Reads[N]['params']>, BodyOf<N>>;

interface ReadDefinition<N extends ObjectName, F> {
  /** Sends the request; absent: calls the tool of the read. */
  readonly request?: RequestOf<N>;
  /** Flags besides those of the contract. */
  readonly flags?: Interfaces.FlagInput<F & object>;
}

/** A read with a REST path has a method of the client, which `request` must call. */
type Requesting<N extends ObjectName> = Reads[N] extends { path: string }
  ? { readonly request: RequestOf<N> }
  : unknown;

/** How to show a read: as an object around rows, or by a function of its own. */
type Showing<N extends ObjectName, Row, F> =
  | { readonly view: ObjectView<BodyOf<N>, Row>; readonly show?: never }
  | { readonly show: Show<BodyOf<N>, F>; readonly view?: never };

/** An instance of a command class that a factory returns. */
interface RunnableRead extends ReadCommand {
  run(): Promise<void>;
}
/** Named, because declarations cannot describe a class expression with protected members. */
export type ReadCommandClass = Omit<typeof ReadCommand, 'prototype'> &
  (new (
    argv: string[],
    config: Config,
  ) => RunnableRead);

/**
 * The base class of a command that prints a read with one object as its body. Summary, flags, parameters and the text of
 * the spinner come from the contract.
 * @param name The read in the registry of the contract.
 */
export function readCommand<N extends ObjectName, Row, F = object>(
  name: N,
  definition: ReadDefinition<N, F> & Requesting<N> & Showing<N, Row, F>,
): ReadCommandClass {
  const { path, summary, params }: Read = reads[name];
  const { request = toolRequest(name), flags } = definition as ReadDefinition<N, F>;
  const show = showOf<N, Row, F>(definition);
  return class extends ReadCommand {
    // Accessors: with plain static properties here, the manifest of oclif lacks the flags of the base classes.
    static override get summary() {
      return summary;
    }
    static override get flags() {
      return { ...paramFlags(params), ...flags };
    }

    override run(): Promise<void> {
      return this.present<BodyOf<N> & object>({
        params,
        waiting: `Reading ${path ?? this.id} …`,
        request: request as Request<object, BodyOf<N> & object>,
        show: show as Show<BodyOf<N>>,
      });
    }
  };
}

function showOf<N extends ObjectName, Row, F>({ view, show }: Showing<N, Row, F>): Show<BodyOf<N>, F> {
  return show ?? ((format, data) => formatObject(format, view, data));
}

/** Calls the tool of the read, whose payload has the same type as the body of the read. */
const toolRequest =
  <N extends ObjectName>(name: N): RequestOf<N> =>
  (svc, params, options) => {
    type Given = Arguments<ToolArgumentsOf<Reads[N]['tool']>>;
    const payload = svc.tools.call<Reads[N]['tool']>(
      reads[name].tool,
      ...([params, options] as unknown as Given),
    );
    return payload as unknown as PromiseLike<BodyOf<N>>;
  };
