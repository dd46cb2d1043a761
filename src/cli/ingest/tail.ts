import { type FileHandle, open, stat } from 'node:fs/promises';
import { type Chunk, HEAD_BYTES, LogFile, READ_BYTES } from './log-file.js';
import { type Beginnings, beginningsOf, newCopy } from './rotation.js';

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
