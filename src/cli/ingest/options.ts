import { resolve } from 'node:path';
import { CommandError } from '../failure/command-error.js';
import { STDIN } from './log-file.js';
import { oldestFirst } from './rotation.js';

/** The flags of `svc ingest` that are checked here. */
export interface IngestFlags {
  readonly follow: boolean;
  readonly from?: 'beginning' | 'end' | 'last' | undefined;
  readonly state?: string | undefined;
  readonly 'fail-on-unparsed'?: string | undefined;
  readonly 'strip-prefix'?: string | undefined;
}

/**
 * The inputs in the order of reading: the rotated files of a log before the log. Without arguments: standard input, unless it
 * is a terminal.
 */
export function inputsOf(args: readonly string[], { follow, state, from }: IngestFlags): string[] {
  const names = args.length > 0 ? args : [STDIN];
  if (args.length === 0 && process.stdin.isTTY) {
    throw usage('Name the log files, or pipe a log into svc ingest.');
  }
  const inputs = oldestFirst([...new Set(names.map((name) => (name === STDIN ? STDIN : resolve(name))))]);
  if (!inputs.includes(STDIN)) return inputs;
  if (follow) throw usage('Standard input is read to its end anyway: leave out --follow.');
  if (inputs.length === 1 && state !== undefined)
    throw usage('--state needs a file: a position in standard input cannot be resumed.');
  if (inputs.length === 1 && from !== undefined && from !== 'beginning') {
    throw usage(`--from ${from} needs a file.`);
  }
  return inputs;
}

/** @throws CommandError `usage` if the value is not a percentage. */
export function unparsedLimit(flags: IngestFlags): number | null {
  const text = flags['fail-on-unparsed'];
  if (text === undefined) return null;
  const percent = Number(text.replace(/%$/, ''));
  if (text.trim() !== '' && percent >= 0 && percent <= 100) return percent;
  throw usage(`Invalid --fail-on-unparsed: ${text}. Give a percentage from 0 to 100.`);
}

/** The regular expression, anchored to the start of the line. */
export function prefixOf(flags: IngestFlags): RegExp | undefined {
  const source = flags['strip-prefix'];
  if (source === undefined) return undefined;
  try {
    return new RegExp(`^(?:${source})`);
  } catch (error) {
    throw usage(`Invalid --strip-prefix: ${(error as Error).message}.`);
  }
}

const usage = (message: string): CommandError =>
  new CommandError('usage', message, { hint: '`svc ingest --help` shows examples.' });
