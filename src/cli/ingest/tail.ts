import { type FileHandle, open, stat } from 'node:fs/promises';
import { type Chunk, HEAD_BYTES, LogFile, READ_BYTES } from './log-file.js';

/** Interval of the checks of the file's size, which do not depend on reads. */
const WATCH_MS = 1000;

/** Reads the data that is appended to one file. The file stays open when its name changes. */
export class Tail {
  readonly logFile: LogFile;
  readonly #file: FileHandle;
  readonly #watch: NodeJS.Timeout;
  /** Offset of the next byte to return. */
  offset: number;
  /** The largest size that the file has had. */
  #largest: number;

  private constructor(logFile: LogFile, file: FileHandle, offset: number) {
    this.logFile = logFile;
    this.#file = file;
    this.offset = offset;
    this.#largest = offset;
    this.#watch = setInterval(() => this.#isShorter().catch(() => {}), WATCH_MS);
    this.#watch.unref();
  }

  /**
   * @param start The first offset to read; `end`: the current end of the file.
   * @throws Error with a `code`, which is ESPIPE if it is not a regular file.
   */
  static async open(path: string, start: number | 'end'): Promise<Tail> {
    const file = await open(path);
    const stats = await file.stat();
    if (!stats.isFile()) {
      await file.close();
      throw Object.assign(new Error('no regular file'), { code: 'ESPIPE', syscall: 'open' });
    }
    const logFile = new LogFile(path, stats);
    const offset = start === 'end' ? stats.size : start;
    if (offset > 0) logFile.see(await bytesAt(file, 0, Math.min(HEAD_BYTES, offset)), 0);
    return new Tail(logFile, file, offset);
  }

  /** Returns the next bytes; null: there are none yet; `emptied`: the file was truncated, and perhaps written since. */
  async next(): Promise<Chunk | null | 'emptied'> {
    if (await this.#isEmptied()) return 'emptied';
    const { logFile, offset } = this;
    const bytes = await bytesAt(this.#file, offset, READ_BYTES);
    if (bytes.length === 0) return null;
    // The file may have been truncated before the read, so the bytes may be new content.
    if (await this.#isEmptied()) return 'emptied';
    logFile.see(bytes, offset);
    this.offset += bytes.length;
    return { logFile, bytes, offset };
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

  async #isEmptied(): Promise<boolean> {
    if (await this.#isShorter()) return true;
    const { head } = this.logFile;
    return !head.equals(await bytesAt(this.#file, 0, head.length));
  }

  async #isShorter(): Promise<boolean> {
    const { size } = await this.#file.stat();
    this.#largest = Math.max(this.#largest, size);
    return size < this.offset;
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  // A copy, so that a few bytes do not keep a whole buffer in memory.
  return bytesRead === length ? buffer : Buffer.from(buffer.subarray(0, bytesRead));
}
