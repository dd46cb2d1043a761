/** Cuts a byte stream, gzipped or not, into numbered lines. */
import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Null: the line is not UTF-8. */
  readonly text: string | null;
}

/** A longer line is refused, because the import would otherwise keep the whole stream in memory. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** A line exceeds MAX_LINE_BYTES. */
export class LineTooLongError extends Error {
  constructor(line: number) {
    super(`line ${line}: longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB`);
    this.name = 'LineTooLongError';
  }
}

const NEWLINE = 10;

/** Yields lines in groups, one group per chunk of the stream, so that each line does not cost a promise. */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let number = 0;
  for await (const chunk of inflated(source)) {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes > MAX_LINE_BYTES) throw new LineTooLongError(number + 1);
      continue;
    }
    const block = Buffer.concat([...rest, chunk.subarray(0, last + 1)]);
    rest = [chunk.subarray(last + 1)];
    restBytes = chunk.length - last - 1;
    const lines = splitBlock(block, number);
    number += lines.length;
    yield lines;
  }
  const tail = Buffer.concat(rest);
  if (tail.length > 0) yield splitBlock(Buffer.concat([tail, Buffer.from('\n')]), number);
}

function splitBlock(block: Buffer, before: number): Line[] {
  const lines: Line[] = [];
  const valid = isUtf8(block);
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(NEWLINE, start);
    const bytes = block.subarray(start, end);
    const number = before + lines.length + 1;
    lines.push({ number, text: valid || isUtf8(bytes) ? withoutMark(bytes.toString('utf8'), number) : null });
    start = end + 1;
  }
  return lines;
}

const withoutMark = (text: string, number: number): string =>
  number === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;

/** Decompresses the stream if it begins with the gzip signature. */
async function* inflated(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await firstBytes(iterator);
  const whole = rejoin(first, iterator);
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield* whole;
    return;
  }
  const gunzip = createGunzip();
  // A broken stream reaches the reader of `gunzip` as its error.
  pipeline(Readable.from(whole), gunzip, () => undefined);
  for await (const chunk of gunzip) yield chunk as Buffer;
}

/** The first two bytes of the stream or more; fewer if it is shorter. */
async function firstBytes(iterator: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < 2) {
    const next = await iterator.next();
    if (next.done) break;
    bytes = Buffer.concat([bytes, next.value]);
  }
  return bytes;
}

/** Yields all chunks, the first included. When the reader stops, the source is stopped too. */
async function* rejoin(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const { buffer, byteOffset, byteLength } = next.value;
      yield Buffer.from(buffer, byteOffset, byteLength);
    }
  } finally {
    await rest.return?.();
  }
}
