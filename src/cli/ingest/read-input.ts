import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { latin1, secondOf } from '../../sdk/ingest/batches.js';
import { CommandError } from '../command-error.js';
import { replaceFile } from '../connection/replace-file.js';
import { grouped } from '../render/view.js';
import { type Following, follow, rotatedFrom } from './follow.js';
import {
  type Chunk,
  fileChunks,
  hashOfHead,
  headOf,
  isGzip,
  magicOf,
  requireReadable,
  STDIN,
  statOf,
  stdinChunks,
  writeError,
} from './input.js';

interface SpoolOptions {
  /** The most bytes in memory; one chunk may exceed it. */
  readonly limit: number;
  /** Called when the limit is reached for the first time; reading stops until there is room. */
  readonly onFull: () => void;
}

/**
 * Yields the chunks of a source and reads ahead into memory up to a limit, because a followed log may be rotated away
 * while sending waits. Ends after the last chunk of the source.
 */
export async function* spooled(
  source: AsyncIterable<Chunk>,
  { limit, onFull }: SpoolOptions,
): AsyncGenerator<Chunk> {
  const chunks = source[Symbol.asyncIterator]();
  let failure: { readonly error: unknown } | undefined;
  let wasFull = false;
  const read = async (spool: ReadableStreamDefaultController<Chunk>): Promise<void> => {
    const { done, value } = await chunks.next();
    if (done) return spool.close();
    spool.enqueue(value);
    if (wasFull || spool.desiredSize! > 0) return;
    wasFull = true;
    onFull();
  };
  yield* new ReadableStream<Chunk>(
    {
      // An error of the stream would drop the chunks that wait.
      pull: (spool) =>
        read(spool).catch((error: unknown) => {
          failure = { error };
          spool.close();
        }),
      cancel: () => void chunks.return?.()?.catch(() => {}),
    },
    { highWaterMark: limit, size: ({ bytes }) => bytes.length },
  );
  if (failure) throw failure.error;
}

/** A file to read, and where to begin. */
interface Portion {
  readonly path: string;
  /** `end`: at the end that the file has when it is opened. */
  readonly start: number | 'end';
}

/**
 * The unread parts of a log: the rest of the file with the position, then all files that the log was rotated into since, then
 * the log itself. If that file no longer exists: only the log, from its beginning, with a warning.
 */
async function portionsAfter(
  log: string,
  position: Position,
  warn: (message: string) => void,
): Promise<Portion[]> {
  const files = [...(await rotatedFrom(log)), log];
  for (const [at, path] of files.entries()) {
    if (!(await isAt(path, position))) continue;
    const start = await startIn(path, position);
    return [{ path, start }, ...files.slice(at + 1).map((later) => ({ path: later, start: 0 }))];
  }
  const place = `byte ${grouped(position.offset)} of a file`;
  warn(`${log} was read up to ${place} that no longer exists. Lines after that position may be lost.`);
  return [{ path: log, start: 0 }];
}

/** Whether the position is in this file. The beginning identifies the file, also after it was copied or compressed. */
async function isAt(path: string, { dev, inode, offset, hash }: Position): Promise<boolean> {
  try {
    const stats = await stat(path);
    if (offset === 0) return stats.dev === dev && stats.ino === inode;
    const isShorter = !path.endsWith('.gz') && stats.size < offset;
    return !isShorter && hashOfHead(await headOf(path), offset) === hash;
  } catch {
    return false;
  }
}

/** The offset of the position, or of the start of its last second if that second continues after it. */
async function startIn(path: string, position: Position): Promise<number> {
  const { offset, last_second: second, second_offset: start } = position;
  if (second === null) return offset;
  for await (const { bytes } of fileChunks(path, offset)) {
    const end = bytes.indexOf(10);
    return secondOf(latin1(end === -1 ? bytes : bytes.subarray(0, end))) === second ? start : offset;
  }
  return offset;
}

export interface Wanted extends Following {
  readonly follow: boolean;
  readonly from: 'beginning' | 'end' | 'last' | undefined;
}

/** One input and the parts of it to read. */
export interface Reading {
  readonly input: string;
  /** Whether it cannot be read again: standard input, and everything else that is not a regular file. */
  readonly isPipe: boolean;
  /** The files in the order of reading; none for standard input. With --follow, the last one is followed. */
  readonly portions: readonly Portion[];
  /** The file that stores the position; null: it is not stored. */
  readonly state: StateFile | null;
  /** The position where an earlier run ended, if the reading starts there. */
  readonly after: Position | undefined;
}

/**
 * Decides what to read of an input.
 * @throws CommandError `usage` for an input that cannot be read.
 */
export async function readingOf(
  input: string,
  wanted: Wanted,
  stateOf: (file: string) => StateFile | null,
): Promise<Reading> {
  if (input === STDIN) return { input, isPipe: true, portions: [], state: null, after: undefined };
  const isPipe = !wanted.follow && !(await statOf(input)).isFile();
  const state = isPipe ? null : stateOf(input);
  const stored = state?.position(input);
  const isWanted = wanted.from === 'last' || (wanted.from === undefined && wanted.follow);
  const after = isWanted ? stored : undefined;
  const portions = after ? await portionsAfter(input, after, wanted.warn) : [await wholeOf(input, wanted)];
  if (!isPipe) for (const { path } of portions) await requireUnpacked(path, wanted);
  return { input, isPipe, portions, state, after };
}

async function wholeOf(path: string, { follow: follows, from }: Wanted): Promise<Portion> {
  if (follows) return { path, start: from === 'beginning' ? 0 : 'end' };
  return { path, start: from === 'end' ? (await statOf(path)).size : 0 };
}

/** Refuses a file in an unsupported compression, and a missing file unless it is followed. */
async function requireUnpacked(path: string, wanted: Wanted): Promise<void> {
  const magic = await magicOf(path).catch(() => null);
  if (magic !== null) requireReadable(path, magic);
  if (magic === null && !wanted.follow) await statOf(path);
}

/**
 * Yields the chunks of an input.
 * @param spoolBytes The limit of bytes in memory for a followed log.
 */
export function chunksOf(
  { input, portions }: Reading,
  wanted: Wanted,
  spoolBytes: number,
): AsyncGenerator<Chunk> {
  if (input === STDIN) return stdinChunks();
  const chunks = chunksOfFiles(portions, wanted);
  if (!wanted.follow) return chunks;
  const onFull = () =>
    wanted.warn(`${input}: ${spoolBytes / 1024 / 1024} MiB wait to be sent; reading stops until they are.`);
  return spooled(chunks, { limit: spoolBytes, onFull });
}

async function* chunksOfFiles(portions: readonly Portion[], wanted: Wanted): AsyncGenerator<Chunk> {
  for (const [at, { path, start }] of portions.entries()) {
    if (wanted.follow && at === portions.length - 1) yield* follow(path, start, wanted);
    else yield* fileChunks(path, start === 'end' ? 0 : start);
  }
}

/** Total bytes of the inputs; null: unknown. */
export async function sizeOf(readings: readonly Reading[]): Promise<number | null> {
  let sum = 0;
  for (const { isPipe, portions } of readings) {
    if (isPipe) return null;
    for (const { path, start } of portions) {
      if (start === 'end' || isGzip(await magicOf(path))) return null;
      sum += Math.max(0, (await statOf(path)).size - start);
    }
  }
  return sum;
}

/** The position up to which a log was shipped and acknowledged. */
export interface Position {
  readonly dev: number;
  readonly inode: number;
  /** Bytes of the content, after decompression. */
  readonly offset: number;
  /** The hash of the first KiB, or of the first `offset` bytes if that is less. */
  readonly hash: string;
  /** The time of the latest line in seconds since the epoch; null: the line has no time. */
  readonly last_second: number | null;
  /**
   * The offset of the first line of that second. If more of its lines arrive, all are sent again and numbered together.
   */
  readonly second_offset: number;
  /** The newest directives of a W3C log. */
  readonly head: string;
}

interface Content {
  readonly version: 1;
  readonly files: { readonly [path: string]: Position };
}

/** The default path of the state of a log, by server, brand and absolute path. */
export function defaultStateFile(url: string, brand: string | undefined, path: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([url, brand ?? null, path]))
    .digest('hex');
  const folder = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  return join(folder, 'svc', `ingest-${hash.slice(0, 16)}.json`);
}

/** A file of positions, by absolute path of the log. */
export class StateFile {
  readonly #path: string;
  #files: { [path: string]: Position };

  /** @throws CommandError `usage` if the file is not a valid state file. */
  constructor(path: string) {
    this.#path = path;
    this.#files = { ...read(path).files };
  }

  position(log: string): Position | undefined {
    return Object.hasOwn(this.#files, log) ? this.#files[log] : undefined;
  }

  save(log: string, position: Position): void {
    this.#files = { ...this.#files, [log]: position };
    const content: Content = { version: 1, files: this.#files };
    try {
      replaceFile(this.#path, `${JSON.stringify(content, null, 2)}\n`, { flush: true });
    } catch (error) {
      throw writeError(this.#path, error, 'unexpected');
    }
  }
}

function read(path: string): Content {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as Partial<Content> | null;
    if (content?.version === 1 && typeof content.files === 'object') return content as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: 1, files: {} };
  }
  throw new CommandError('usage', `${path} cannot be read as a state of svc ingest. Repair or delete it.`);
}
