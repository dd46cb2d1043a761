import { type FileHandle, open, stat } from 'node:fs/promises';
import { type Chunk, HEAD_BYTES, LogFile } from './log-file.js';

const CHUNK = 262_144;
/** How often the size of the file is looked at, whether or not anybody reads. */
const WATCH_MS = 1000;

/** What is appended to one file, which stays open whatever becomes of its name. */
export class Tail {
  readonly logFile: LogFile;
  readonly #file: FileHandle;
  readonly #watch: NodeJS.Timeout;
  /** Everything before was given. */
  offset: number;
  /** The largest size that the file was seen with. */
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
   * @param start Where to begin; `end`: behind what is there now.
   * @throws Error with a `code`, ESPIPE for what is no regular file.
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

  /** What comes next, null while nothing does; `emptied`: the file was emptied, and perhaps filled again since. */
  async next(): Promise<Chunk | null | 'emptied'> {
    if (await this.#isEmptied()) return 'emptied';
    const { logFile, offset } = this;
    const bytes = await bytesAt(this.#file, offset, CHUNK);
    if (bytes.length === 0) return null;
    // What stands there may be of the next content already.
    if (await this.#isEmptied()) return 'emptied';
    logFile.see(bytes, offset);
    this.offset += bytes.length;
    return { logFile, bytes, offset };
  }

  /** Bytes that the file is known to have had and that were not given. */
  get unread(): number {
    return Math.max(0, this.#largest - this.offset);
  }

  /** Whether the name stands for another file now, or for none. */
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
  // A few bytes are not to hold the memory of a chunk while they wait.
  return bytesRead === length ? buffer : Buffer.from(buffer.subarray(0, bytesRead));
}
