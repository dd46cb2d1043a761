import { createHash } from 'node:crypto';

/** The name of standard input among files. */
export const STDIN = '-';
/** How much of a file's beginning tells it from others. */
export const HEAD_BYTES = 1024;

/** One file under one of the names that it has had: a log before it is rotated, or one that was. */
export class LogFile {
  readonly path: string;
  readonly dev: number;
  readonly inode: number;
  #head: Buffer = Buffer.alloc(0);

  constructor(path: string, { dev, ino }: { readonly dev: number; readonly ino: number }) {
    this.path = path;
    this.dev = dev;
    this.inode = ino;
  }

  /** Remembers the beginning: `bytes` stand at `offset` of the content. */
  see(bytes: Uint8Array, offset: number): void {
    if (offset !== this.#head.length || offset >= HEAD_BYTES) return;
    this.#head = Buffer.concat([this.#head, bytes.subarray(0, HEAD_BYTES - offset)]);
  }

  /** As much of the beginning as is known, at most 1 KiB. */
  get head(): Buffer {
    return this.#head;
  }

  /** The hash of the first KiB, or of the first `offset` bytes where those are fewer. */
  hash(offset: number): string {
    return hashOfHead(this.#head, offset);
  }
}

export const hashOfHead = (head: Buffer, offset: number): string =>
  createHash('sha256')
    .update(head.subarray(0, Math.min(offset, HEAD_BYTES)))
    .digest('hex');

/** Bytes of a logFile's content; those of a compressed file count after decompression. */
export interface Chunk {
  readonly logFile: LogFile;
  readonly bytes: Uint8Array;
  /** Where in the content they begin. */
  readonly offset: number;
}
