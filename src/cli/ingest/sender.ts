import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { boolean, integer, option, string } from '@oclif/core/flags';
import pLimit from 'p-limit';
import type { SvcError } from '../../sdk/errors.js';
import { type IngestProgress, noProgress, type Post, poster, send } from '../../sdk/ingest/ingest.js';
import type { Configuration } from '../../sdk/options.js';
import { CommandError } from '../command-error.js';
import { oldestFirst } from './follow.js';
import { STDIN } from './input.js';

/** The largest batch. A batch may exceed it by a megabyte, and must still be within the limit of a body. */
const MAX_BATCH_BYTES = 9.5 * 1024 * 1024;
const MIB = 1024 * 1024;

/** The flags of `svc ingest` besides those of every command that connects to a server. */
export const ingestFlags = {
  brand: string({ description: 'Brand id (default: the first brand of the key)', helpValue: 'ID' }),
  follow: boolean({
    char: 'F',
    description: 'Keep reading what is appended, across rotation by rename or truncation',
  }),
  from: option({
    options: ['beginning', 'end', 'last'] as const,
    description:
      'Where to begin (default: beginning; with --follow: last where a state is stored, else end). last: after what an earlier run delivered',
  })(),
  state: string({
    description: 'File that remembers what was delivered (default: one per log in the state folder)',
    helpValue: 'FILE',
  }),
  'batch-bytes': integer({
    description: 'Bytes of a batch before compression; grows by itself when the rate limit is met',
    default: MIB,
    min: 1,
    max: MAX_BATCH_BYTES,
    helpValue: 'N',
  }),
  'flush-every': integer({
    description: 'Seconds after which a batch is sent even if it is not full',
    default: 5,
    min: 0,
    max: 3600,
    helpValue: 'SECONDS',
  }),
  gzip: boolean({ description: 'Compress what is sent', default: true, allowNo: true }),
  'only-agents': boolean({
    description: 'Send only lines of known AI crawlers; the server then counts no other requests',
  }),
  'max-retries': integer({
    description: 'How often a batch is tried again',
    default: 8,
    min: 0,
    helpValue: 'N',
  }),
  timeout: integer({
    description: 'Seconds for one request',
    default: 30,
    min: 1,
    max: 3600,
    helpValue: 'SECONDS',
  }),
  force: boolean({ description: 'Send a log although none of its first lines can be parsed' }),
  'dry-run': boolean({ description: 'Only parse and count; send nothing' }),
  errors: string({ description: 'Write lines that cannot be parsed to this file', helpValue: 'FILE' }),
  'fail-on-unparsed': string({
    description: 'Exit 9 if a larger share of the lines cannot be parsed',
    helpValue: 'PERCENT',
  }),
  'strip-prefix': string({
    description:
      'Drop what this regular expression matches at the start of each line, as journald and docker add it',
    helpValue: 'REGEX',
  }),
  'no-progress': boolean({ description: 'Show no progress' }),
  verbose: boolean({ char: 'v', description: 'Print every retry, and list requests by crawler' }),
};

/** The flags of `svc ingest` that are checked here. */
interface IngestFlags {
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

interface SenderOptions {
  readonly configuration: Configuration;
  readonly gzip: boolean;
  readonly maxRetries: number;
  /** Milliseconds for one request. */
  readonly timeout: number;
  readonly batchBytes: number;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Called before each wait for another attempt; `wait` in milliseconds. */
  readonly onRetry: (error: SvcError, wait: number) => void;
  readonly onSent: (sent: IngestProgress) => void;
}

const MAX_AT_ONCE = 2;
const LEAST_BATCH_BYTES = 65_536;
/** Below this number of remaining tokens batches are made larger. */
const FEW_TOKENS = 10;

/** Compresses in another thread, unlike the streams of the SDK. */
const gzipped = promisify<Uint8Array, Buffer>(gzip);

/** Sends batches, at most two at once, and adapts their size. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #post: Post;
  /** Size of the next batches in bytes. */
  batchBytes: number;
  #most = MAX_BATCH_BYTES;
  readonly #limit = pLimit(MAX_AT_ONCE);

  constructor(options: SenderOptions) {
    const { configuration, signal, maxRetries, timeout } = options;
    const onRetry = (error: SvcError, wait: number) => {
      if (error.status === 429) this.#raise();
      options.onRetry(error, wait);
    };
    this.#options = options;
    this.batchBytes = options.batchBytes;
    const call = { signal, maxRetries, timeout, onRetry };
    const post = poster(configuration, call, options.gzip && gzipped);
    this.#post = async (bytes) => {
      const answer = await post(bytes);
      if ((answer.rateLimit?.remaining ?? FEW_TOKENS) < FEW_TOKENS) this.#raise();
      return answer;
    };
  }

  /** @throws SvcError of a batch that the server did not accept, or the reason of the signal. */
  send(bytes: Uint8Array): Promise<void> {
    return this.#limit(() => this.#sendNow(bytes));
  }

  async #sendNow(bytes: Uint8Array): Promise<void> {
    const { warn, onSent } = this.#options;
    const sent = noProgress(0);
    try {
      await send(bytes, sent, this.#post, warn);
      sent.bytes = bytes.length;
      if (sent.bodies > 1) this.#lower(bytes.length / sent.bodies);
    } finally {
      // A part may have been accepted.
      onSent(sent);
    }
  }

  /** Makes batches larger, because few requests are left. */
  #raise(): void {
    this.batchBytes = Math.min(this.batchBytes * 2, this.#most);
  }

  /** Makes batches smaller, because the server or a proxy refused a body as too large. */
  #lower(bytes: number): void {
    this.#most = Math.max(LEAST_BATCH_BYTES, Math.min(this.#most, Math.floor(bytes)));
    this.batchBytes = Math.min(this.batchBytes, this.#most);
  }
}
