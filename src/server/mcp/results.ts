/**
 * Caches the results of tool calls as they are sent. Quoting and encoding a long payload costs more than the rest of its
 * call, and the cache of reads returns the same text until the data changes.
 */
import { LRUCache } from 'lru-cache';

/** Bytes for each of the two forms. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Returns the result with this payload, a JSON text: as a text block, and if it is structured as an object too. */
export type Results = (payload: string, structured: boolean) => Buffer;

export function createResults(): Results {
  const texts = cached((payload) => `{"content":${blocks(payload)}}`);
  const objects = cached((payload) => `{"content":${blocks(payload)},"structuredContent":${payload}}`);
  return (payload, structured) => (structured ? objects : texts)(payload);
}

/** The payload as the only text block: JSON in a JSON string. */
const blocks = (payload: string): string => `[{"type":"text","text":${JSON.stringify(payload)}}]`;

function cached(write: (payload: string) => string): (payload: string) => Buffer {
  const kept = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: (bytes, payload) => bytes.length + payload.length,
  });
  const make = (payload: string): Buffer => {
    const bytes = Buffer.from(write(payload));
    kept.set(payload, bytes);
    return bytes;
  };
  return (payload) => kept.get(payload) ?? make(payload);
}
