import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { grouped } from '../render/view.js';
import { type Chunk, fileChunks, HEAD_BYTES, headOf, LogFile, READ_BYTES, readError } from './input.js';

/** The suffixes that rotation adds to the name of a log: `.1`, `.2.gz`, `-20261120`, `-20261120-1700000000.gz`. */
const suffix = /^(?<base>.+?)(?:\.(?<number>\d{1,5})|[.-](?<date>\d{4}-?\d\d-?\d\d(?:[-T.]?\d+)?))(?:\.gz)?$/;

interface Rotated {
  readonly path: string;
  /** The name of the log itself. */
  readonly base: string;
  /** Increases with age; 0 for the log itself. */
  readonly number: number;
  readonly date: string;
}

function rotated(path: string): Rotated {
  const { base, number, date } = suffix.exec(path)?.groups ?? {};
  const plain = base ?? path.replace(/\.gz$/, '');
  return { path, base: plain, number: Number(number ?? 0), date: date ?? '' };
}

/** Sorts dated files before numbered files before the log itself, and each kind oldest first. */
function byAge(a: Rotated, b: Rotated): number {
  if (a.date !== b.date) return a.date === '' ? 1 : b.date === '' ? -1 : a.date < b.date ? -1 : 1;
  return b.number - a.number;
}

/** The files in the given order, but all files of one log together at the index of the first, oldest first. */
export function oldestFirst(paths: readonly string[]): string[] {
  const sets = new Map<string, Rotated[]>();
  for (const each of paths.map(rotated)) sets.set(each.base, [...(sets.get(each.base) ?? []), each]);
  return [...sets.values()].flatMap((set) => set.sort(byAge).map(({ path }) => path));
}

/**
 * The rotated files of a log in its folder, oldest first; of a symbolic link also those in the folder of its target. A copy
 * that is being compressed counts once.
 */
export async function rotatedFrom(path: string): Promise<string[]> {
  const target = await realpath(path).catch(() => path);
  const places = new Set([await placeOfName(path), target]);
  return oldestFirst((await Promise.all([...places].map(rotatedInFolder))).flat());
}

/** The path without links in its folder. */
const placeOfName = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));

async function rotatedInFolder(path: string): Promise<string[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  const own = names.filter((name) => name !== basename(path) && rotated(name).base === basename(path));
  const whole = own.filter((name) => !(name.endsWith('.gz') && own.includes(name.slice(0, -'.gz'.length))));
  return whole.map((name) => join(dirname(path), name));
}

/** The known beginnings of rotated files. */
type Beginnings = readonly Buffer[];

/** The beginnings of the rotated files of a log that have content and can be read. */
async function beginningsOf(path: string): Promise<Beginnings> {
  const heads = await Promise.all((await rotatedFrom(path)).map(beginningOf));
  return heads.filter((head) => head !== undefined && head.length > 0) as Buffer[];
}

/**
 * The newest rotated file of a log, if it is not one of those that had the `earlier` beginnings: a copy of content that
 * was never read.
 */
async function newCopy(
  path: string,
  earlier: Beginnings,
): Promise<{ path: string; isEmpty: boolean } | undefined> {
  const newest = (await rotatedFrom(path)).at(-1);
  const head = newest === undefined ? undefined : await beginningOf(newest);
  if (newest === undefined || head === undefined || earlier.some((each) => beginAlike(each, head)))
    return undefined;
  return { path: newest, isEmpty: head.length === 0 };
}

const beginningOf = (path: string): Promise<Buffer | undefined> => headOf(path).catch(() => undefined);

/** Whether one begins with the other: one of them may have been written to since. */
function beginAlike(one: Buffer, other: Buffer): boolean {
  const common = Math.min(one.length, other.length);
  return common > 0 && one.subarray(0, common).equals(other.subarray(0, common));
}

/**
 * The index of a log file among rotated files: the newest with the same beginning, under any name and compression; while
 * its beginning is unknown, the file with the same inode.
 * @returns -1: it is not among them.
 */
async function placeOf({ head, dev, inode }: LogFile, files: readonly string[]): Promise<number> {
  for (let at = files.length - 1; at >= 0; at--) {
    const path = files[at]!;
    const isIt = head.length > 0 ? await begins(path, head) : await isFile(path, dev, inode);
    if (isIt) return at;
  }
  return -1;
}

const begins = (path: string, head: Buffer): Promise<boolean> =>
  headOf(path).then(
    (own) => own.subarray(0, head.length).equals(head),
    () => false,
  );

const isFile = (path: string, dev: number, inode: number): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.dev === dev && stats.ino === inode,
    () => false,
  );

/** Interval of the checks of the file's size, which do not depend on reads. */
const WATCH_MS = 1000;

/** Reads the data that is appended to one file. The file stays open when its name changes. */
export class Tail {
  readonly logFile: LogFile;
  readonly #file: FileHandle;
  readonly #watch: NodeJS.Timeout;
  /** Offset of the next byte to return. */
  offset: number;
  /** The beginnings of the rotated files when this one was opened. */
  readonly #earlier: Beginnings;
  /** The largest size that this content has had. */
  #largest: number;
  /** When the file was last written while it was empty; undefined if it was never seen empty. */
  #emptySince: number | undefined;
  #isEmptied = false;

  private constructor(logFile: LogFile, file: FileHandle, offset: number, earlier: Beginnings) {
    this.logFile = logFile;
    this.#file = file;
    this.offset = offset;
    this.#largest = offset;
    this.#earlier = earlier;
    this.#watch = setInterval(() => this.look().catch(() => {}), WATCH_MS);
    this.#watch.unref();
  }

  /**
   * @param start The first offset to read; `end`: the current end of the file.
   * @throws Error with a `code`, which is ESPIPE if it is not a regular file.
   */
  static async open(path: string, start: number | 'end'): Promise<Tail> {
    // Before the file is opened: a copy that is made since then may have what was never read.
    const earlier = await beginningsOf(path);
    const file = await open(path);
    const stats = await file.stat();
    if (!stats.isFile()) {
      await file.close();
      throw Object.assign(new Error('no regular file'), { code: 'ESPIPE', syscall: 'open' });
    }
    const logFile = new LogFile(path, stats);
    const offset = start === 'end' ? stats.size : start;
    if (offset > 0) logFile.see(await bytesAt(file, 0, Math.min(HEAD_BYTES, offset)), 0);
    const tail = new Tail(logFile, file, offset, earlier);
    await tail.look();
    return tail;
  }

  /**
   * Returns the next bytes; null: there are none yet; `emptied`: the file was truncated, and perhaps written since;
   * `preceded`: before its first bytes it had others, which only the copy has.
   */
  async next(): Promise<Chunk | null | 'emptied' | 'preceded'> {
    if (await this.look()) return 'emptied';
    const { logFile, offset } = this;
    const bytes = await bytesAt(this.#file, offset, READ_BYTES);
    if (bytes.length === 0) return null;
    // The file may have been truncated before the read, so the bytes may be new content.
    if (await this.look()) return 'emptied';
    // An empty file may have been written, copied and truncated before these bytes were.
    if (offset === 0 && (await this.unreadCopy()) !== undefined) return 'preceded';
    logFile.see(bytes, offset);
    this.offset += bytes.length;
    return { logFile, bytes, offset };
  }

  /** Notes the size and the beginning of the file, and returns whether it was truncated at any time. */
  async look(): Promise<boolean> {
    if (!this.#isEmptied) this.#isEmptied = await this.#isTruncated();
    return this.#isEmptied;
  }

  /** The newest rotated file, if it was made since this one was opened and is not a copy of it. */
  async unreadCopy(): Promise<string | undefined> {
    const copy = await newCopy(this.logFile.path, [...this.#earlier, this.logFile.head]);
    return copy === undefined || copy.isEmpty ? undefined : copy.path;
  }

  /** The number of bytes that the file had and that were not returned. */
  get unread(): number {
    return Math.max(0, this.#largest - this.offset);
  }

  /** Whether the name now belongs to another file or to none. */
  async isReplaced(): Promise<boolean> {
    const now = await stat(this.logFile.path).catch(() => undefined);
    return now?.dev !== this.logFile.dev || now.ino !== this.logFile.inode;
  }

  close(): Promise<void> {
    clearInterval(this.#watch);
    return this.#file.close();
  }

  async #isTruncated(): Promise<boolean> {
    const { size, mtimeMs } = await this.#file.stat();
    if (size < this.#largest) return true;
    const { head } = this.logFile;
    if (head.length > 0) {
      if (!head.equals(await bytesAt(this.#file, 0, head.length))) return true;
    } else if (size > 0) {
      this.logFile.see(await bytesAt(this.#file, 0, HEAD_BYTES), 0);
    } else {
      const since = this.#emptySince ?? mtimeMs;
      this.#emptySince = mtimeMs;
      if (mtimeMs !== since) return !(await newCopy(this.logFile.path, this.#earlier))?.isEmpty;
    }
    // After the comparison: the size may be that of new content.
    this.#largest = Math.max(this.#largest, size);
    return false;
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  // A copy, so that a few bytes do not keep a whole buffer in memory.
  return bytesRead === length ? buffer : Buffer.from(buffer.subarray(0, bytesRead));
}

const POLL_MS = 200;
/** The time for which a server may write to the old file after the signal to reopen its log. */
const OLD_FILE_MS = 5000;

export interface Following {
  /** Ends the reading. */
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Called with a message that states where the reading begins. */
  readonly note: (message: string) => void;
}

/**
 * Follows a log by its name. If another file takes the name, the old one is read to its end and for five more seconds
 * first, then all files that had the name in between. If the file is truncated, its rest is read from the copy in the
 * same folder.
 */
export async function* follow(
  path: string,
  start: number | 'end',
  following: Following,
): AsyncGenerator<Chunk> {
  const { signal, warn, note } = following;
  let isFirst = true;
  for (let from = start; ; from = 0) {
    const tail = await openLater(path, from, following);
    if (tail === undefined) return;
    if (isFirst)
      note(
        `Following ${path} from byte ${grouped(tail.offset)}${from === 'end' && tail.offset > 0 ? ', its end' : ''}.`,
      );
    isFirst = false;
    try {
      const end = yield* untilLeft(tail, signal);
      if (signal.aborted) return;
      if (end === 'emptied') yield* restOf(tail, warn);
      if (end === 'preceded') yield* unreadCopy(tail, warn);
      yield* newerThan(tail.logFile);
    } finally {
      await tail.close();
    }
  }
}

async function* untilLeft(
  tail: Tail,
  signal: AbortSignal,
): AsyncGenerator<Chunk, 'emptied' | 'preceded' | 'replaced'> {
  let leaveAt = Number.POSITIVE_INFINITY;
  while (!signal.aborted) {
    const chunk = await tail.next();
    if (chunk === 'emptied' || chunk === 'preceded') return chunk;
    const isLeaving = leaveAt < Number.POSITIVE_INFINITY;
    if (chunk !== null) {
      yield chunk;
      if (isLeaving) leaveAt = performance.now() + OLD_FILE_MS;
      continue;
    }
    if (performance.now() > leaveAt) break;
    if (!isLeaving && (await tail.isReplaced())) leaveAt = performance.now() + OLD_FILE_MS;
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  return 'replaced';
}

/** The unread rest of a truncated file, from its copy. */
async function* restOf(tail: Tail, warn: Following['warn']): AsyncGenerator<Chunk> {
  const { logFile } = tail;
  const { path } = logFile;
  const files = await rotatedFrom(path);
  const copy = files[await placeOf(logFile, files)];
  let isRead = copy !== undefined;
  try {
    for await (const { bytes, offset } of copy === undefined ? [] : fileChunks(copy, tail.offset)) {
      logFile.see(bytes, offset);
      tail.offset = offset + bytes.length;
      yield { logFile, bytes, offset };
    }
  } catch (error) {
    warn(`${copy}: ${(error as Error).message}`);
  }
  if (copy === undefined) isRead = yield* unreadCopy(tail, warn);
  const where = copy === undefined ? 'and no copy of it was found in its folder' : `and are not in ${copy}`;
  if (tail.unread > 0)
    warn(
      `${path} was emptied: ${grouped(tail.unread)} bytes of it were not read before, ${where}. They are lost.`,
    );
  else if (!isRead && logFile.head.length === 0)
    warn(`${path} was written to and emptied between two looks, ${where}. Lines may be lost.`);
}

/** The content of a copy that was made since the file was opened, and of which nothing was read; false if there is none. */
async function* unreadCopy(tail: Tail, warn: Following['warn']): AsyncGenerator<Chunk, boolean> {
  const copy = await tail.unreadCopy();
  if (copy === undefined) return false;
  try {
    yield* fileChunks(copy);
  } catch (error) {
    warn(`${copy}: ${(error as Error).message}`);
  }
  return true;
}

/** The files that had the name after a log file, oldest first; repeated until there is no newer one. */
async function* newerThan(logFile: LogFile): AsyncGenerator<Chunk> {
  for (let last: LogFile | undefined = logFile; last !== undefined; ) {
    const files = await rotatedFrom(logFile.path);
    const at = await placeOf(last, files);
    last = undefined;
    for (const path of at === -1 ? [] : files.slice(at + 1)) {
      for await (const chunk of fileChunks(path)) {
        last = chunk.logFile;
        yield chunk;
      }
    }
  }
}

/** Opens the file, and waits while it does not exist: rotation may not have created the new one yet. */
async function openLater(
  path: string,
  start: number | 'end',
  { signal, warn }: Following,
): Promise<Tail | undefined> {
  for (let from = start; !signal.aborted; from = 0) {
    try {
      return await Tail.open(path, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw readError(path, error);
      if (from === 'end') warn(`There is no file ${path} yet: waiting for it.`);
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}
