import { type BucketState, CAPACITY, type RateState, REFILL_PER_SECOND } from '../limits/token-bucket.js';
import { statement } from './statement.js';

const refilled = `least(${CAPACITY}, b.tokens + greatest(0, excluded.at - b.at) * ${REFILL_PER_SECOND})`;

/** Refills the bucket and takes a token if there is a whole one, in one statement: the rule of `take`. */
export const takeToken = statement<RateState, { bucket: string; now: number }>(
  'take_token',
  `insert into rate_buckets as b (bucket, tokens, at, granted)
   values (:bucket, ${CAPACITY - 1}, cast(:now as double precision), true)
   on conflict (bucket) do update set
     tokens = ${refilled} - case when ${refilled} >= 1 then 1 else 0 end,
     at = greatest(b.at, excluded.at),
     granted = ${refilled} >= 1
   returning tokens, at, granted`,
);

export const peekBucket = statement<BucketState, { bucket: string }>(
  'peek_bucket',
  'select tokens, at from rate_buckets where bucket = :bucket',
);

/** Forgets buckets that are full by now: a bucket that is not there counts as full. */
export const dropFullBuckets = statement<never, { now: number }>(
  'drop_full_buckets',
  `delete from rate_buckets where tokens + (cast(:now as double precision) - at) * ${REFILL_PER_SECOND} >= ${CAPACITY}`,
);
