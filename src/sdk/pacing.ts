import { TokenBucket } from './bucket.js';
import type { Clock } from './clock.js';

/** What the server meters apart, per key: reads together with MCP, and crawler-log ingest. */
export type Lane = 'reads' | 'ingest';

/** By clock, so that time of another speed never meets a bucket of this one. */
const buckets = new WeakMap<Clock, Map<string, WeakRef<TokenBucket>>>();

/**
 * The bucket of a key at a server: all clients of this process with the same key share it, as they do at the server,
 * and it goes with the last of them.
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
