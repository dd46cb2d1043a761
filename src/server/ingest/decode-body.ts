/** Decompresses a body chunk by chunk, so that only one chunk of it is in memory. */
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';
import {
  asEncoding,
  decompressed,
  type Encoding,
  encodings,
  isCorrupt,
  sniffedEncoding,
  statedEncodings,
} from '../http/encodings.js';

/**
 * The decoded body, in chunks of at most SLICE_BYTES if it was compressed. It can be decoded more than once.
 * @throws 415 for an unsupported encoding; while it is read: 413 beyond `maxBytes`, 400 if it is corrupt.
 */
export function decodedBody(
  wire: readonly Buffer[],
  contentEncoding: string,
  maxBytes: number,
): AsyncIterable<Buffer> | Iterable<Buffer> {
  if (wire.length === 0) return [];
  const encoding = encodingOf(wire, contentEncoding);
  return encoding === null ? wire : limited(wire, encoding, maxBytes);
}

/** Null: the body is not compressed. */
function encodingOf(wire: readonly Buffer[], header: string): Encoding | null {
  const stated = statedEncodings(header);
  const name = stated.length > 0 ? stated.join(', ') : sniffedEncoding(wire);
  if (name === null) return null;
  const encoding = asEncoding(name);
  if (encoding) return encoding;
  throw refuse(
    stated.length > 0
      ? errors.unsupportedEncoding(name, encodings)
      : errors.unsupportedCompression(name, encodings),
  );
}

async function* limited(
  wire: readonly Buffer[],
  encoding: Encoding,
  maxBytes: number,
): AsyncIterable<Buffer> {
  let length = 0;
  try {
    for await (const chunk of decompressed(wire, encoding)) {
      length += chunk.length;
      if (length > maxBytes) throw refuse(errors.bodyTooLarge());
      yield chunk;
    }
  } catch (error) {
    throw isCorrupt(error) ? refuse(errors.corruptBody(encoding)) : error;
  }
}
