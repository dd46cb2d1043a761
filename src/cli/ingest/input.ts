import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FailureKind } from '../../contract/failure.js';
import { CommandError } from '../command-error.js';
import { shellPath } from '../render/wording.js';

const unreadable: { readonly [code: string]: (path: string) => string } = {
  ENOENT: (path) => `There is no file ${path}.`,
  ENOTDIR: (path) => `There is no file ${path}.`,
  EISDIR: (path) => `${path} is a folder: name the files in it.`,
  EACCES: (path) => `${path} cannot be read: permission denied.`,
  EPERM: (path) => `${path} cannot be read: permission denied.`,
  ESPIPE: (path) => `${path} is not a regular file, which --follow needs.`,
};

/** The error of reading a file as a message with its path; any other error unchanged. */
export function readError(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof syscall !== 'string' || code === undefined) return error;
  return new CommandError('usage', unreadable[code]?.(path) ?? `${path} cannot be read (${code}).`);
}

const unwritable: { readonly [code: string]: string } = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** The error of writing a file as a message with its path. */
export function writeError(path: string, error: unknown, kind: FailureKind = 'usage'): CommandError {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  return new CommandError(kind, `${path} cannot be written: ${unwritable[code] ?? code}.`);
}

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

/** The number of first bytes that identify every format here. */
const MAGIC_BYTES = 6;

/** Compressions that are not supported: first bytes in hexadecimal, and the command that decompresses to standard output. */
const others: readonly (readonly [name: string, command: string, magic: RegExp])[] = [
  ['bzip2', 'bzcat', /^425a683[1-9](?:31|17)/],
  ['xz', 'xzcat', /^fd377a585a00/],
  ['zstd', 'zstdcat', /^(?:28b52ffd|5[\da-f]2a4d18)/],
];

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** @throws CommandError `usage` for content in another compression than gzip. */
export function requireReadable(input: string, head: Uint8Array): void {
  const text = Buffer.from(head).toString('hex');
  const [name, command] = others.find(([, , magic]) => magic.test(text)) ?? [];
  if (name === undefined) return;
  const [subject, pipe] =
    input === STDIN
      ? ['Standard input', `… | ${command} | svc ingest`]
      : [input, `${command} ${shellPath(input)} | svc ingest`];
  throw new CommandError(
    'usage',
    `${subject} is compressed with ${name}, which svc does not read. Pipe it: ${pipe}`,
  );
}

/** The first bytes of a file. */
export async function magicOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Yields the bytes of a source, decompressed if they are gzip.
 * @throws CommandError `usage` for other compressions and for damaged data.
 */
async function* decompressed(input: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < MAGIC_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  requireReadable(input, head);
  const rest = { [Symbol.asyncIterator]: () => chunks };
  const whole = (async function* () {
    if (head.length > 0) yield head as Uint8Array;
    yield* rest;
  })();
  if (!isGzip(head)) yield* whole;
  else yield* unpacked(input, whole);
}

async function* unpacked(input: string, packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const source = Readable.from(packed, { objectMode: false });
  source.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of source.pipe(gunzip)) yield chunk as Uint8Array;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('Z_')) throw error;
    const subject = input === STDIN ? 'Standard input' : input;
    // The data ends too early.
    const fault = code === 'Z_BUF_ERROR' ? 'is cut off' : `is damaged (${message})`;
    throw new CommandError('usage', `${subject} ${fault}: not all of its gzip data can be unpacked.`);
  }
}

/** Standard input as chunks. */
export async function* stdinChunks(): AsyncGenerator<Chunk> {
  const logFile = new LogFile(STDIN, { dev: 0, ino: 0 });
  let offset = 0;
  for await (const bytes of decompressed(STDIN, process.stdin)) {
    yield { logFile, bytes, offset };
    offset += bytes.length;
  }
}

/** A file's content from `start` to its end. */
export async function* fileChunks(path: string, start = 0): AsyncGenerator<Chunk> {
  const logFile = new LogFile(path, await statOf(path));
  try {
    if (start > 0) logFile.see(await headOf(path), 0);
    // A compressed file must be read from its beginning.
    const jumps = start > 0 && !isGzip(await magicOf(path));
    let offset = jumps ? start : 0;
    // A pipe does not accept a start, not even 0.
    const stream = createReadStream(path, { ...(jumps && { start }), highWaterMark: READ_BYTES });
    for await (const chunk of jumps ? stream : decompressed(path, stream)) {
      const bytes = chunk as Uint8Array;
      logFile.see(bytes, offset);
      const fresh = bytes.subarray(Math.max(0, start - offset));
      if (fresh.length > 0) yield { logFile, bytes: fresh, offset: Math.max(start, offset) };
      offset += bytes.length;
    }
  } catch (error) {
    throw readError(path, error);
  }
}

/** @throws CommandError `usage` if the path does not exist or is a folder. */
export async function statOf(path: string): Promise<Stats> {
  try {
    const stats = await stat(path);
    if (!stats.isDirectory()) return stats;
  } catch (error) {
    throw readError(path, error);
  }
  throw readError(path, { code: 'EISDIR', syscall: 'read' });
}

/** The first KiB of the content. */
export async function headOf(path: string): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const bytes of decompressed(path, createReadStream(path, { highWaterMark: HEAD_BYTES }))) {
    head = Buffer.concat([head, bytes]);
    if (head.length >= HEAD_BYTES) break;
  }
  return head.subarray(0, HEAD_BYTES);
}
