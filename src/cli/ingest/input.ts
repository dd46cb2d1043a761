import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandError } from '../failure/command-error.js';
import { isGzip, MAGIC_BYTES, magicOf, requireReadable } from './compression.js';
import { readError } from './file-errors.js';
import { type Chunk, HEAD_BYTES, LogFile, READ_BYTES, STDIN } from './log-file.js';

/**
 * Yields the bytes of a source, decompressed if they are gzip.
 * @throws CommandError `usage` for other compressions and for damaged data.
 */
export async function* decompressed(
  input: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
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
