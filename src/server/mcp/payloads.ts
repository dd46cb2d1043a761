/**
 * Caches payloads in the form of a tool result. Quoting and encoding a long payload costs more than the rest of its
 * call, and the cache of reads returns the same text until the data changes.
 */
import { LRUCache } from 'lru-cache';

/** A payload as bytes. */
export interface Payload {
  /** The text of a content block: JSON in a JSON string. */
  readonly quoted: Buffer;
  /** The JSON itself. */
  readonly plain: Buffer;
}

const MAX_BYTES = 32 * 1024 * 1024;

export interface Payloads {
  /** The payload with this JSON text. */
  of(text: string): Payload;
}

export function createPayloads(): Payloads {
  const kept = new LRUCache<string, Payload>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ quoted, plain }, text) => quoted.length + plain.length + text.length,
  });
  const make = (text: string): Payload => {
    const payload = { quoted: Buffer.from(JSON.stringify(text)), plain: Buffer.from(text) };
    kept.set(text, payload);
    return payload;
  };
  return { of: (text) => kept.get(text) ?? make(text) };
}
