import { TokenBucket } from './bucket.js';
import type { Clock } from './clock.js';

/** The server has two buckets per key: one for reads and MCP, one for the ingest of crawler logs. */
export type Lane = 'reads' | 'ingest';

/** Buckets by clock, because a bucket works with one clock only. */
const buckets = new WeakMap<Clock, Map<string, WeakRef<TokenBucket>>>();

/**
 * Returns the bucket of a key at a server. All clients of this process with the same key share it, as they share the
 * server's bucket. It is freed with the last of them.
 */
export function bucketOf(clock: Clock, lane: Lane, baseUrl: string, apiKey: string): TokenBucket {
  const known = buckets.get(clock) ?? new Map<string, WeakRef<TokenBucket>>();
  buckets.set(clock, known);
  for (const [id, bucket] of known) if (!bucket.deref()) known.delete(id);
  const id = JSON.stringify([lane, baseUrl, apiKey]);
  const bucket = known.get(id)?.deref() ?? new TokenBucket(clock);
  known.set(id, new WeakRef(bucket));
  return bucket;
}
