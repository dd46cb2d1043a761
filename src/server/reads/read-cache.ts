/**
 * Answers to reads, kept for an hour. What an answer depends on is in its key: resource, what the caller sees, the
 * parsed parameters, the UTC day, and the version of the brand's data, which every change moves. Concurrent misses
 * are computed once.
 */
import { LRUCache } from 'lru-cache';
import { READ_CACHE_SECONDS } from '../../contract/limits.js';
import { etagOf, type Validated } from '../http/conditional.js';

/** A body as it is sent, in any format. */
export interface CachedAnswer extends Validated {
  readonly json: string;
}

const MAX_BYTES = 128 * 1024 * 1024;

export interface ReadCache {
  /** The answer under this key, computed by `compute` when it is not there. */
  get(key: string, compute: () => Promise<object>): Promise<CachedAnswer> | CachedAnswer;
  /** The content under this key, made by `make` when it is not there. A key always has contents of one type. */
  content<C extends Validated>(key: string, make: () => Promise<C>): Promise<C> | C;
  /** How many answers were there, and how many were not. */
  readonly counts: { hits: number; misses: number };
}

/** A cache of up to 128 MiB in this process; the least recently used answers are removed first. */
export function createReadCache(): ReadCache {
  const answers = new LRUCache<string, Validated, () => Promise<Validated>>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => 2 * bytes.length + key.length + 1,
    ttl: READ_CACHE_SECONDS * 1000,
    // The time is read once a second, not for every answer.
    ttlResolution: 1000,
    ignoreFetchAbort: true,
    fetchMethod: (_, __, { context: make }) => make(),
  });
  const counts = { hits: 0, misses: 0 };
  function content<C extends Validated>(key: string, make: () => Promise<C>): Promise<C> | C {
    const found = answers.get(key);
    if (found) {
      counts.hits++;
      return found as C;
    }
    counts.misses++;
    return answers.forceFetch(key, { context: make }) as Promise<C>;
  }
  return { counts, content, get: (key, compute) => content(key, async () => encode(await compute())) };
}

/** A body as JSON. */
export function encode(body: object): CachedAnswer {
  const json = JSON.stringify(body);
  const bytes = Buffer.from(json);
  return { json, bytes, etag: etagOf(bytes) };
}
