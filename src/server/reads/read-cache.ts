/**
 * Answers to reads, kept for an hour. What an answer depends on is in its key: resource, what the caller sees, the
 * parsed parameters, the UTC day, and the version of the brand's data, which every change moves. Concurrent misses
 * are computed once.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { READ_CACHE_SECONDS } from '../../contract/limits.js';

export interface CachedAnswer {
  readonly json: string;
  readonly bytes: Buffer;
  /** A strong validator: the hash of the bytes. */
  readonly etag: string;
}

const MAX_BYTES = 128 * 1024 * 1024;

export interface ReadCache {
  /** The answer under this key, computed by `compute` when it is not there. */
  get(key: string, compute: () => Promise<object>): Promise<CachedAnswer>;
  /** How many answers were there, and how many were not. */
  readonly counts: { hits: number; misses: number };
}

export function createReadCache(): ReadCache {
  const answers = new LRUCache<string, CachedAnswer, () => Promise<object>>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => 2 * bytes.length + key.length + 1,
    ttl: READ_CACHE_SECONDS * 1000,
    // The time is read once a second, not for every answer.
    ttlResolution: 1000,
    ignoreFetchAbort: true,
    fetchMethod: async (_, __, { context: compute }) => encode(await compute()),
  });
  const counts = { hits: 0, misses: 0 };
  return {
    counts,
    get: async (key, compute) => {
      const found = answers.get(key);
      if (found) {
        counts.hits++;
        return found;
      }
      counts.misses++;
      return answers.forceFetch(key, { context: compute });
    },
  };
}

/** A body as it is sent. */
export function encode(body: object): CachedAnswer {
  const json = JSON.stringify(body);
  const bytes = Buffer.from(json);
  return { json, bytes, etag: etagOf(bytes) };
}

/** The strong validator of a content. */
export const etagOf = (bytes: Buffer): string => `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
