import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { filePieces } from './input.js';
import { rotatedFrom } from './rotation.js';
import { type Piece, Segment } from './segment.js';

const POLL_MS = 200;
const CHUNK = 262_144;
/** A server that was told to reopen its log may write to the old one a little longer. */
const OLD_FILE_MS = 5000;

/** Reads what is appended to one file. */
class Tail {
  readonly segment: Segment;
  readonly #file: FileHandle;
  offset: number;

  private constructor(segment: Segment, file: FileHandle, offset: number) {
    this.segment = segment;
    this.#file = file;
    this.offset = offset;
  }

  /** @param start Where to begin; `end`: behind what is there now. */
  static async open(path: string, start: number | 'end'): Promise<Tail> {
    const file = await open(path);
    const stats = await file.stat();
    const segment = new Segment(path, stats);
    const offset = start === 'end' ? stats.size : start;
    if (offset > 0) segment.see(await bytesAt(file, 0, Math.min(1024, offset)), 0);
    return new Tail(segment, file, offset);
  }

  /** What is there and was not given yet. */
  async *read(): AsyncGenerator<Piece> {
    for (;;) {
      const bytes = await bytesAt(this.#file, this.offset, CHUNK);
      if (bytes.length === 0) return;
      this.segment.see(bytes, this.offset);
      yield { segment: this.segment, bytes, offset: this.offset };
      this.offset += bytes.length;
    }
  }

  /** Whether the file was emptied, and perhaps filled again since. */
  async isTruncated(): Promise<boolean> {
    const { size } = await this.#file.stat();
    if (size < this.offset) return true;
    const { head } = this.segment;
    return !head.equals(await bytesAt(this.#file, 0, head.length));
  }

  async isReplaced(): Promise<boolean> {
    const now = await stat(this.segment.path).catch(() => undefined);
    return now?.dev !== this.segment.dev || now.ino !== this.segment.inode;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/**
 * What is appended to a log, by its name: where another file takes the name the old one is read to its end first, and
 * for five seconds more; where the file is emptied it is read from its beginning. Ends with the signal.
 */
export async function* follow(
  path: string,
  start: number | 'end',
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  for (let from = start; !signal.aborted; from = 0) {
    const tail = await openLater(path, from, signal);
    if (tail === undefined) return;
    try {
      yield* untilReplaced(tail, signal);
    } finally {
      await tail.close();
    }
    for (const missed of signal.aborted ? [] : await rotatedSince(tail.segment)) yield* filePieces(missed, 0);
  }
}

/** Files that had the name for so short a time that they were never opened, oldest first. */
async function rotatedSince({ path, dev, inode }: Segment): Promise<string[]> {
  const files = await rotatedFrom(path);
  const isOld = async (file: string) => {
    const stats = await stat(file).catch(() => undefined);
    return stats?.dev === dev && stats.ino === inode;
  };
  for (const [at, file] of files.entries()) if (await isOld(file)) return files.slice(at + 1);
  return [];
}

async function* untilReplaced(tail: Tail, signal: AbortSignal): AsyncGenerator<Piece> {
  let leaveAt = Number.POSITIVE_INFINITY;
  for (;;) {
    if (await tail.isTruncated()) return;
    const before = tail.offset;
    yield* tail.read();
    if (signal.aborted || (tail.offset === before && Date.now() > leaveAt)) return;
    const isReplaced = leaveAt < Number.POSITIVE_INFINITY || (await tail.isReplaced());
    if (isReplaced && (tail.offset > before || leaveAt === Number.POSITIVE_INFINITY)) {
      leaveAt = Date.now() + OLD_FILE_MS;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** Waits for the file where rotation has not made a new one yet. */
async function openLater(
  path: string,
  start: number | 'end',
  signal: AbortSignal,
): Promise<Tail | undefined> {
  while (!signal.aborted) {
    try {
      return await Tail.open(path, start);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}
