import type { Position, StateFile } from './checkpoints.js';
import { isGzip, magicOf, requireReadable } from './compression.js';
import { type Following, follow } from './follow.js';
import { fileChunks, statOf, stdinChunks } from './input.js';
import { type Chunk, STDIN } from './log-file.js';
import { type Portion, portionsAfter } from './resume.js';
import { spooled } from './spool.js';

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
