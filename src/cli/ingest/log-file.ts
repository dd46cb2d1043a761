import { createHash } from 'node:crypto';

/** The name of standard input among files. */
export const STDIN = '-';
/** The number of bytes that are read from a file at once. */
export const READ_BYTES = 262_144;

/** The length of a file's beginning that identifies it. */
export const HEAD_BYTES = 1024;

/** One file under one of its names: a log before or after its rotation. */
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

  /** Keeps the beginning of the content; `bytes` are at `offset` of it. */
  see(bytes: Uint8Array, offset: number): void {
    const known = this.#head.length;
    if (offset > known || known >= HEAD_BYTES) return;
    this.#head = Buffer.concat([this.#head, bytes.subarray(known - offset, HEAD_BYTES - offset)]);
  }

  /** The known part of the beginning, at most 1 KiB. */
  get head(): Buffer {
    return this.#head;
  }

  /** The hash of the first KiB, or of the first `offset` bytes if that is less. */
  hash(offset: number): string {
    return hashOfHead(this.#head, offset);
  }
}

/** SHA-256 of the first KiB in hexadecimal digits, or of the first `offset` bytes if that is less. */
export const hashOfHead = (head: Buffer, offset: number): string =>
  createHash('sha256')
    .update(head.subarray(0, Math.min(offset, HEAD_BYTES)))
    .digest('hex');

/** Bytes of the content of a log file, after decompression. */
export interface Chunk {
  readonly logFile: LogFile;
  readonly bytes: Uint8Array;
  /** Their offset in the content. */
  readonly offset: number;
}
