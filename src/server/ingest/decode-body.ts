/** Takes the compression off a body, piece by piece, so that no more of it is held than the piece in hand. */
import { pipeline, Readable } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type ZlibOptions,
} from 'node:zlib';
import { crawlerEvents } from '../../contract/crawler-events.js';
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';

type Encoding = (typeof crawlerEvents.encodings)[number];

/** How compressed bodies begin, for those that came without a header; zstd and snappy are known to be refused. */
const MAGIC: readonly [name: string, bytes: Buffer][] = [
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['snappy', Buffer.from('\xff\x06\x00\x00sNaPpY', 'latin1')],
];
/** Also the size of a slice that is parsed in one go. */
export const SLICE_BYTES = 32 * 1024;

/**
 * The decoded body in pieces of at most SLICE_BYTES where it was compressed.
 * @throws 415 for an encoding that is not supported; while it is read: 413 beyond `maxBytes`, 400 where it is corrupt.
 */
export function decodedBody(
  wire: readonly Buffer[],
  contentEncoding: string,
  maxBytes: number,
): AsyncIterable<Buffer> | Iterable<Buffer> {
  if (wire.length === 0) return [];
  const encoding = encodingOf(wire, contentEncoding);
  return encoding === null ? wire : decompressed(wire, encoding, maxBytes);
}

/** Null: the body is as it is. */
function encodingOf(wire: readonly Buffer[], header: string): Encoding | null {
  const stated = header
    .toLowerCase()
    .split(',')
    .map((each) => each.trim().replace(/^x-gzip$/, 'gzip'))
    .filter((each) => each !== '' && each !== 'identity');
  const name = stated.length > 0 ? stated.join(', ') : sniffed(wire);
  if (name === null) return null;
  const encoding = crawlerEvents.encodings.find((each) => each === name);
  if (!encoding) throw refuse(errors.unsupportedEncoding(name, crawlerEvents.encodings));
  return encoding;
}

function sniffed(wire: readonly Buffer[]): string | null {
  const head = Buffer.concat(wire.slice(0, 16)).subarray(0, 16);
  return MAGIC.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes))?.[0] ?? null;
}

async function* decompressed(
  wire: readonly Buffer[],
  encoding: Encoding,
  maxBytes: number,
): AsyncIterable<Buffer> {
  const decoder = decoderFor(encoding, wire[0] as Buffer);
  // Errors reach the loop below through the decoder.
  pipeline(Readable.from(wire), decoder, () => undefined);
  let length = 0;
  try {
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw refuse(errors.bodyTooLarge());
      yield piece;
    }
  } catch (error) {
    throw isCorrupt(error) ? refuse(errors.corruptBody(encoding)) : error;
  } finally {
    decoder.destroy();
  }
}

function decoderFor(encoding: Encoding, first: Buffer) {
  const options: ZlibOptions = { chunkSize: SLICE_BYTES };
  switch (encoding) {
    case 'gzip':
      return createGunzip(options);
    case 'deflate':
      // Some senders leave out the zlib wrapper that the name stands for; its first byte says 8 for the method.
      return (first[0]! & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options);
    case 'br':
      return createBrotliDecompress(options);
  }
}

const isCorrupt = (error: unknown): boolean => /^(?:Z_|ERR_)/.test(codeOf(error));
const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | null)?.code ?? '');
