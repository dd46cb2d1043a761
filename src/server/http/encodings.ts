/** Compressed bytes: how they are known, and what takes the compression off. */
import { pipeline, Readable } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type ZlibOptions,
} from 'node:zlib';
import { crawlerEvents } from '../../contract/crawler-events.js';

export const encodings = crawlerEvents.encodings;
export type Encoding = (typeof encodings)[number];

/** How compressed bytes begin, in hex. Those that are no `Encoding` are known to be refused. */
const MAGIC: readonly [name: string, head: RegExp][] = [
  ['gzip', /^1f8b/],
  ['bzip2', /^425a683[1-9](?:314159265359|177245385090)/],
  ['xz', /^fd377a585a00/],
  ['zstd', /^28b52ffd/],
  ['snappy', /^ff060000734e61507059/],
  ['zip', /^504b0304/],
];
const MAGIC_BYTES = 10;

/** Also the size of the pieces that come out of a decoder. */
export const SLICE_BYTES = 32 * 1024;

export const asEncoding = (name: string): Encoding | undefined => encodings.find((each) => each === name);

/** The values of a Content-Encoding header, without those that change nothing. */
export const statedEncodings = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((each) => each.trim().replace(/^x-gzip$/, 'gzip'))
    .filter((each) => each !== '' && each !== 'identity');

/** What bytes are compressed with, by how they begin; null: they are as they are. */
export function sniffedEncoding(bytes: readonly Buffer[]): string | null {
  const beginnings = bytes.slice(0, MAGIC_BYTES).map((piece) => piece.subarray(0, MAGIC_BYTES));
  const head = Buffer.concat(beginnings).toString('hex', 0, MAGIC_BYTES);
  return MAGIC.find(([, magic]) => magic.test(head))?.[0] ?? null;
}

/**
 * The bytes without their compression, in pieces of at most SLICE_BYTES.
 * @throws While it is read, what `isCorrupt` tells, for bytes that are not valid.
 */
export async function* decompressed(bytes: readonly Buffer[], encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = decoderFor(encoding, bytes[0]?.[0] ?? 0);
  // Errors reach the loop below through the decoder.
  pipeline(Readable.from(bytes), decoder, () => undefined);
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } finally {
    decoder.destroy();
  }
}

function decoderFor(encoding: Encoding, first: number) {
  const options: ZlibOptions = { chunkSize: SLICE_BYTES };
  switch (encoding) {
    case 'gzip':
      return createGunzip(options);
    case 'deflate':
      // Some senders leave out the zlib wrapper that the name stands for; its first byte says 8 for the method.
      return (first & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options);
    case 'br':
      return createBrotliDecompress(options);
  }
}

/** Whether an error of a decoder says that the bytes are not what they are called. */
export const isCorrupt = (error: unknown): boolean =>
  /^(?:Z_|ERR_)/.test(String((error as NodeJS.ErrnoException | null)?.code ?? ''));
