import { exitCodes } from '../../contract/failure.js';
import { type Noted, noteFor } from '../../contract/notes.js';
import type { InferParams, Params } from '../../contract/params.js';
import { printable } from '../../contract/printable.js';
import type { Read } from '../../contract/read.js';
import { mainRowSchema } from '../../contract/rows.js';
import type { Schema } from '../../contract/schema.js';
import { windowRange } from '../../contract/slice.js';
import { asMeasured } from '../../contract/unmeasured.js';
import type { CallOptions } from '../../sdk/arguments.js';
import { SvcClient } from '../../sdk/client.js';
import { CommandError } from '../command-error.js';
import { conditional } from '../connection/fetch.js';
import { cacheFolder } from '../connection/folders.js';
import type { Settings } from '../connection/settings.js';
import {
  type Drawing,
  defaultFormat,
  type Format,
  formatObject,
  type Shown,
  viewOfRead,
} from '../render/format.js';
import { type Picked, type PickFlags, picked } from '../render/picked.js';
import { print } from '../render/terminal.js';
import { type Days, daysEnding, today } from '../render/wording.js';
import type { ApiCommand, ApiFlags } from './api-command.js';
import type { ReadFields } from './flags.js';
import type { Rule, ThresholdFlags } from './thresholds.js';

export interface ReadFlags extends ApiFlags, PickFlags, ThresholdFlags {
  readonly format?: Format | undefined;
  readonly raw?: boolean;
  /** Seconds between two reads; undefined: one read. */
  readonly watch?: string | undefined;
  /** Parameters of the read. */
  readonly [name: string]: unknown;
}

/** What a request gets besides its parameters. */
export interface RequestContext {
  readonly svc: SvcClient;
  readonly options: CallOptions;
  /** The fields and the order of the rows. */
  readonly picked: Picked;
}

type Show<Data> = (format: Format, data: Data, context: RequestContext) => Shown | Promise<Shown>;

/** The parameters of a request without the brand, which the client adds itself. */
export type ParamsOf<P extends Params> = Omit<InferParams<P>, 'brand'>;

/** A read of the contract, or one that a command composes of several. */
export type ReadShape = ReadFields & Pick<Read, 'path'>;

/** How a command requests a read, and shows it. */
export interface ReadPrinting<P extends Params, Data, Row> {
  /** The text of the spinner while the request is open, if it does not name the path of the read. */
  readonly waiting?: string | undefined;
  readonly request: (svc: SvcClient, params: ParamsOf<P>, options: CallOptions) => PromiseLike<Data>;
  /** The notes below the output; if omitted, the note in the data. */
  readonly notes?: ((data: Data, format: Format) => readonly string[]) | undefined;
  /** The JSON with the first rows, where the command makes it itself; if omitted, it is the payload of the API, whole. */
  readonly limited?: ((data: Data, limit: number) => Data) | undefined;
  /** How it is shown: as an object around rows. */
  readonly view?: Drawing<Data, Row>;
  /** If there is no view. */
  readonly show?: Show<Data>;
}

/**
 * Requests a read with the parameters from the flags, then prints the data, the footnotes and the notes; with --watch, again
 * and again.
 */
export async function printRead<P extends Params, Data extends object, Row>(
  command: ApiCommand,
  flags: ReadFlags,
  read: ReadShape & { readonly params: P },
  printing: ReadPrinting<P, Data, Row>,
): Promise<Data | undefined> {
  const {
    view,
    show = (format, data, { picked }) => formatObject(format, viewOfRead(read, view!), data, picked),
  } = printing;
  const format = formatOf(flags);
  const picked = pickedBy(format, flags, mainRowSchema(read, flags), printing.limited !== undefined);
  const rules = await rulesBy(flags, read.response);
  const watching = flags.watch === undefined ? undefined : await import('./watch.js');
  const everyMs = watching?.intervalMs(flags.watch!);
  const settings = command.settle(flags);
  const context = { picked, options: { signal: command.signal } };
  const once = (svc: SvcClient, write: (text: string) => Promise<void>) =>
    readOnce(command, flags, read, { ...printing, show }, format, { svc, ...context }, write);
  if (watching && everyMs !== undefined) {
    const svc = connectAgain(command, settings);
    const frameOf = async () => {
      const frame: string[] = [];
      // On a terminal the notes are part of what is drawn.
      if (process.stdout.isTTY) command.notes = { write: (text) => frame.push(text) };
      await once(svc, async (text) => void frame.push(text));
      return frame.join('');
    };
    await watching.watch({ everyMs, signal: command.signal, read: frameOf });
    return undefined;
  }
  const data = await once(command.connect(settings), print);
  judge(command, rules, measuredIn(read.response, data));
  return data;
}

/** A client for repeated reads: an unchanged response is not sent again. */
const connectAgain = (command: ApiCommand, settings: Settings): SvcClient =>
  command.connectBy((options) => new SvcClient({ ...options, fetch: conditional(options.fetch!) }), settings);

/** One read, from its request to its notes. */
async function readOnce<P extends Params, Data extends object, Row>(
  command: ApiCommand,
  flags: ReadFlags,
  { params, path = command.id, response }: ReadShape & { readonly params: P },
  {
    request,
    show,
    limited,
    notes = noteOf,
    waiting = `Reading ${path} …`,
  }: ReadPrinting<P, Data, Row> & { readonly show: Show<Data> },
  format: Format,
  context: RequestContext,
  write: (text: string) => Promise<void>,
): Promise<Data> {
  const { svc, options } = context;
  const data = await command.progress.during(waiting, request(svc, requestParams(params, flags), options));
  const { limit } = flags;
  const cut = format === 'json' && limit !== undefined && limited ? limited(data, limit) : data;
  const { text, footnotes } = await show(format, measuredIn(response, cut, format), context);
  await remember(command, data);
  if (text !== '') await write(text);
  printNotes(command, format, [...footnotes, ...notes(data, format)]);
  return data;
}

/** @throws CommandError `usage` for `--raw` with another format than csv: only csv changes texts. */
export function formatOf({ json, format = defaultFormat(), raw }: ReadFlags): Format {
  if (raw && (json || format !== 'csv'))
    throw new CommandError('usage', '--raw works only with --format csv.');
  if (raw) return 'raw-csv';
  return json ? 'json' : format;
}

/** @throws CommandError `usage` for --fields, --sort and --limit with JSON, which is the payload of the API. */
function pickedBy(format: Format, flags: PickFlags, row: Schema, isLimited: boolean): Picked {
  const refused = (['fields', 'sort', ...(isLimited ? [] : (['limit'] as const))] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (format === 'json' && refused !== undefined) {
    const flag = `--${refused}`;
    throw new CommandError('usage', `${flag} does not go with JSON here, which is the payload of the API.`, {
      hint: `--format ndjson ${flag} … prints one JSON object per row.`,
    });
  }
  return picked(row, flags);
}

/** @throws CommandError as `rulesOf`. */
async function rulesBy(flags: ThresholdFlags, response: Schema): Promise<readonly Rule[]> {
  if (!flags['fail-below'] && !flags['fail-above'] && !flags['fail-if-missing']) return [];
  const { rulesOf } = await import('./thresholds.js');
  return rulesOf(flags, response);
}

/** Prints a line for each broken rule, and sets the exit code. The data is already printed, so no error is thrown. */
function judge(command: ApiCommand, rules: readonly Rule[], data: object): void {
  for (const { outcome, message } of rules.flatMap((rule) => rule(data) ?? [])) {
    if (outcome === 'unchecked') command.note(message);
    else {
      process.stderr.write(`${printable(message)}\n`);
      process.exitCode = exitCodes.incomplete;
    }
  }
}

/** The note that the server sends with the data, if any, in the words of the format. */
export function noteOf(data: object, format: Format): string[] {
  const noted = data as Partial<Noted>;
  if (noted.note === undefined || noted.notes === undefined) return [];
  const { note, notes } = noted as Noted;
  return [(isForPeople(format) ? noteFor('table', { note, notes }) : note) ?? []].flat();
}

const isForPeople = (format: Format): boolean => format === 'table' || format === 'md';

export function printNotes(command: ApiCommand, format: Format, notes: readonly string[]): void {
  if (format === 'json' || notes.length === 0) return;
  if (isForPeople(format)) command.note('');
  for (const note of notes) command.note(note);
}

/** A body with null where nothing was measured, but in formats with the JSON of the API, which keep its zeros. */
export const measuredIn = <Data extends object>(response: Schema, body: Data, format?: Format): Data =>
  format === 'json' || format === 'ndjson' ? body : asMeasured(response, body);

/** Keeps the names of brands, prompts and answers for completion, if a person uses the command. */
export async function remember({ server }: ApiCommand, data: object): Promise<void> {
  if (!process.stderr.isTTY || server === undefined) return;
  const cache = await import('../completion/cache.js');
  cache.remember(cacheFolder(), server, data);
}

/**
 * The parameters that the flags state. The API requires both days of a window, and where it has presets its own days end on
 * the newest collected day: the command asks every read for days that end today.
 */
export function requestParams<P extends Params>(params: P, flags: ReadFlags): ParamsOf<P> {
  const { brand: _, ...own } = params;
  const { from, to, days, ...others }: { [name: string]: unknown } = Object.fromEntries(
    Object.keys(own).flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  );
  return { ...windowParams(params, { from, to, days }), ...others } as ParamsOf<P>;
}

function windowParams({ from: dated, days: counted }: Params, { from, to, days }: Record<string, unknown>) {
  if (days !== undefined && (from !== undefined || to !== undefined))
    throw new CommandError('usage', 'Give either --days, or --from and --to.');
  if (from !== undefined) return { from, to: to ?? today() };
  if (to !== undefined) throw new CommandError('usage', '--to was given without --from, the first day.');
  if (dated && counted?.kind === 'choice') return daysEnding(today(), Number(days ?? counted.default));
  return days === undefined ? {} : { days };
}

/** The days that the flags of a command that joins reads state; undefined: none. */
export function givenDays(flags: ReadFlags): Days | undefined {
  const { from, to, days } = requestParams(windowRange, flags);
  if (from !== undefined && to !== undefined) return { from, to };
  return days === undefined ? undefined : daysEnding(today(), days);
}
