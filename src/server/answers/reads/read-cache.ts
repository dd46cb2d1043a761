/**
 * Answers to reads, kept for an hour. What an answer depends on is in its key: resource, what the caller sees, the
 * parsed parameters, the UTC day, and the version of the brand's data, which every change moves. Concurrent misses
 * are computed once.
 */
import { READ_CACHE_SECONDS } from '../../../contract/limits.js';
import type { Waiter } from '../../base/audience.js';
import { type Stopwatch, systemStopwatch } from '../../base/clock.js';
import { type Validated, validated } from '../../base/validated.js';
import { createSharedCache, type Make } from './shared-cache.js';

/** A body as it is sent, in any format. */
export interface CachedAnswer extends Validated {
  readonly json: string;
}

const MAX_BYTES = 128 * 1024 * 1024;

export interface ReadCache {
  /** The content under this key, made by `make` if it is not there. A key always has contents of one type. */
  content<C extends Validated>(key: string, waiter: Waiter, make: Make<C>): Promise<C>;
  /** How many answers were there, and how many were not. */
  readonly counts: { hits: number; misses: number };
}

/** A cache in this process, by default of up to 128 MiB; the least recently used answers are removed first. */
export function createReadCache(elapsed: Stopwatch = systemStopwatch, maxBytes = MAX_BYTES): ReadCache {
  const answers = createSharedCache<Validated>(
    {
      maxSize: maxBytes,
      // Twice: most are kept as text too.
      sizeCalculation: ({ bytes }, key) => 2 * bytes.length + key.length + 1,
      ttl: READ_CACHE_SECONDS * 1000,
    },
    elapsed,
  );
  const counts = { hits: 0, misses: 0 };
  return {
    counts,
    content: async <C extends Validated>(key: string, waiter: Waiter, make: Make<C>) => {
      const found = answers.peek(key);
      if (found) {
        counts.hits++;
        return found as C;
      }
      counts.misses++;
      return answers.make(key, waiter, make);
    },
  };
}

/** A body as JSON. */
export function encode(body: object): CachedAnswer {
  const json = JSON.stringify(body);
  return { json, ...validated(json) };
}
