import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandError } from '../command-error.js';
import { type Piece, Segment } from './segment.js';

export const STDIN = '-';
const CHUNK = 262_144;
const HEAD_BYTES = 1024;

/** The bytes decompressed where they begin as gzip does. */
export async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const rest = { [Symbol.asyncIterator]: () => chunks };
  const whole = (async function* () {
    if (head.length > 0) yield head as Uint8Array;
    yield* rest;
  })();
  if (!isGzip(head)) yield* whole;
  else yield* unpacked(whole);
}

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const source = Readable.from(packed, { objectMode: false });
  source.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of source.pipe(gunzip)) yield chunk as Uint8Array;
  } catch (error) {
    throw new CommandError('usage', `The gzip data are damaged: ${(error as Error).message}.`);
  }
}

/** Standard input as pieces. */
export async function* stdinPieces(): AsyncGenerator<Piece> {
  const segment = new Segment(STDIN, { dev: 0, ino: 0 });
  let offset = 0;
  for await (const bytes of decompressed(process.stdin)) {
    yield { segment, bytes, offset };
    offset += bytes.length;
  }
}

/** A file's content from `start` to its end. */
export async function* filePieces(path: string, start = 0): AsyncGenerator<Piece> {
  const segment = new Segment(path, await statOf(path));
  if (start > 0) segment.see(await headOf(path), 0);
  // Only the beginning tells whether a file is compressed, and then there is no jumping into it.
  const jumps = start > 0 && !(await isCompressed(path));
  let offset = jumps ? start : 0;
  const stream = createReadStream(path, { start: offset, highWaterMark: CHUNK });
  for await (const chunk of jumps ? stream : decompressed(stream)) {
    const bytes = chunk as Uint8Array;
    segment.see(bytes, offset);
    const fresh = bytes.subarray(Math.max(0, start - offset));
    if (fresh.length > 0) yield { segment, bytes: fresh, offset: Math.max(start, offset) };
    offset += bytes.length;
  }
}

/** @throws CommandError `usage` where there is no such file, or no file. */
export async function statOf(path: string) {
  try {
    const stats = await stat(path);
    if (!stats.isDirectory()) return stats;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('usage', `${path} cannot be read (${code ?? 'unknown reason'}).`);
  }
  throw new CommandError('usage', `${path} is a folder.`);
}

async function isCompressed(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && isGzip(buffer);
  } finally {
    await file.close();
  }
}

/** The first KiB of the content. */
export async function headOf(path: string): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const bytes of decompressed(createReadStream(path, { highWaterMark: HEAD_BYTES }))) {
    head = Buffer.concat([head, bytes]);
    if (head.length >= HEAD_BYTES) break;
  }
  return head.subarray(0, HEAD_BYTES);
}
