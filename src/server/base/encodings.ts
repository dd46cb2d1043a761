/** Recognises compressed bytes and decompresses them. */
import { Readable } from 'node:stream';
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

/** The first bytes of each compression format, in hex. Formats that are not an `Encoding` are recognised to refuse them. */
const MAGIC: readonly [name: string, head: RegExp][] = [
  ['gzip', /^1f8b/],
  ['bzip2', /^425a683[1-9](?:314159265359|177245385090)/],
  ['xz', /^fd377a585a00/],
  ['zstd', /^28b52ffd/],
  ['snappy', /^ff060000734e61507059/],
  ['zip', /^504b0304/],
];
const MAGIC_BYTES = 10;

/** Bytes per parsing step; also the size of a decoder's chunks. */
export const SLICE_BYTES = 32 * 1024;

/** The encoding with this name; undefined if it is not supported. */
export const asEncoding = (name: string): Encoding | undefined => encodings.find((each) => each === name);

/** The encodings of a Content-Encoding header, without `identity`. */
export const statedEncodings = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((each) => each.trim().replace(/^x-gzip$/, 'gzip'))
    .filter((each) => each !== '' && each !== 'identity');

/** The compression format of bytes, recognised by the first of them; null: not compressed. */
export function sniffedEncoding(bytes: readonly Buffer[]): string | null {
  const beginnings = bytes.slice(0, MAGIC_BYTES).map((chunk) => chunk.subarray(0, MAGIC_BYTES));
  const head = Buffer.concat(beginnings).toString('hex', 0, MAGIC_BYTES);
  return MAGIC.find(([, magic]) => magic.test(head))?.[0] ?? null;
}

/**
 * Decompresses bytes, in chunks of at most SLICE_BYTES.
 * @throws While it is read, an error that `isCorrupt` recognises, for invalid bytes.
 */
export const decompressed = (bytes: readonly Buffer[], encoding: Encoding): AsyncIterable<Buffer> =>
  Readable.from(bytes).pipe(decoderFor(encoding, bytes[0]?.[0] ?? 0));

function decoderFor(encoding: Encoding, first: number) {
  const options: ZlibOptions = { chunkSize: SLICE_BYTES };
  switch (encoding) {
    case 'gzip':
      return createGunzip(options);
    case 'deflate':
      // Some clients omit the zlib wrapper, whose first byte has the method 8 in its low bits.
      return (first & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options);
    case 'br':
      return createBrotliDecompress(options);
  }
}

/** Whether an error of a decoder means that the bytes are invalid. */
export const isCorrupt = (error: unknown): boolean =>
  /^(?:Z_|ERR_)/.test(String((error as NodeJS.ErrnoException | null)?.code ?? ''));
