/** Stores the token buckets. Reads and MCP share one bucket per key; ingest has another. */
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.js';
import {
  type BucketState,
  dropFullBuckets,
  peekBucket,
  type RateState,
  takeTokens,
} from '../queries/rate-buckets.js';
import { batchedTakes } from './batched-takes.js';
import { full, refilled, take } from './token-bucket.js';

export type Surface = 'reads' | 'ingest';

export interface Buckets {
  /** Takes a token from the key's bucket, if it has one. */
  take(surface: Surface, keyId: string): Promise<RateState> | RateState;
  /** Returns the bucket without taking a token. */
  peek(surface: Surface, keyId: string): Promise<BucketState> | BucketState;
}

const seconds = (clock: Clock): number => clock().getTime() / 1000;
const nameOf = (surface: Surface, keyId: string): string => `${surface}:${keyId}`;

/** Buckets in memory, for a single process. A bucket that is evicted has long been full again. */
export function memoryBuckets(clock: Clock): Buckets {
  const surfaces = { reads: bucketsByKey(), ingest: bucketsByKey() };
  return {
    take(surface, keyId) {
      const buckets = surfaces[surface];
      const now = seconds(clock);
      const bucket = buckets.get(keyId);
      const state = take(bucket?.state ?? full(now), now);
      if (bucket) bucket.state = state;
      else buckets.set(keyId, { state });
      return state;
    },
    peek(surface, keyId) {
      const now = seconds(clock);
      return refilled(surfaces[surface].get(keyId)?.state ?? full(now), now);
    },
  };
}

/** By size, because `max` allocates space for all entries at once. */
const bucketsByKey = () =>
  new LRUCache<string, { state: BucketState }>({ maxSize: 100_000, sizeCalculation: () => 1 });

const SWEEP_EVERY_SECONDS = 600;

/**
 * Buckets in the database, for several processes that share keys: one row per bucket, in an unlogged table.
 * @param clock Absent: the clock of the database, because the clocks of several servers differ and a slower one would
 *   refuse requests until it has caught up.
 */
export function databaseBuckets(db: Knex, clock?: Clock): Buckets {
  const given = () => (clock ? seconds(clock) : null);
  const takeOne = batchedTakes((wanted) =>
    takeTokens(db, {
      buckets: wanted.map(({ bucket }) => bucket),
      counts: wanted.map(({ count }) => count),
      now: given(),
    }),
  );
  let sweptAt: number | undefined;
  return {
    async take(surface, keyId) {
      const state = await takeOne(nameOf(surface, keyId));
      const { at } = state;
      sweptAt ??= at;
      if (at - sweptAt > SWEEP_EVERY_SECONDS) {
        sweptAt = at;
        await dropFullBuckets(db, { now: given() });
      }
      return state;
    },
    async peek(surface, keyId) {
      const [found] = await peekBucket(db, { bucket: nameOf(surface, keyId), now: given() });
      const { tokens, at, now } = found!;
      return tokens === null ? full(now) : refilled({ tokens, at }, now);
    },
  };
}
