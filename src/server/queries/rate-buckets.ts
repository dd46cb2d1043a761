import { type BucketState, CAPACITY, type RateState, REFILL_PER_SECOND } from '../limits/token-bucket.js';
import { statement } from './statement.js';

const refilled = `least(${CAPACITY}, b.tokens + greatest(0, excluded.at - b.at) * ${REFILL_PER_SECOND})`;
/** The time in seconds: the database's own where none is given, so that servers with other clocks agree. */
const now =
  'coalesce(cast(:now as double precision), cast(extract(epoch from clock_timestamp()) as double precision))';

/** Seconds since 1970; null: now, by the clock of the database. */
type Now = number | null;

/** Refills the bucket and takes a token if there is a whole one, in one statement: the rule of `take`. */
export const takeToken = statement<RateState, { bucket: string; now: Now }>(
  'take_token',
  `insert into rate_buckets as b (bucket, tokens, at, granted)
   values (:bucket, ${CAPACITY - 1}, ${now}, true)
   on conflict (bucket) do update set
     tokens = ${refilled} - case when ${refilled} >= 1 then 1 else 0 end,
     at = greatest(b.at, excluded.at),
     granted = ${refilled} >= 1
   returning tokens, at, granted`,
);

/** The bucket as it was left, null where there is none, and the time by which it is looked at. */
export const peekBucket = statement<
  { now: number } & (BucketState | { tokens: null; at: null }),
  { bucket: string; now: Now }
>(
  'peek_bucket',
  `select n.now, b.tokens, b.at from (select ${now} as now) n left join rate_buckets b on b.bucket = :bucket`,
);

/** Forgets buckets that are full by now: a bucket that is not there counts as full. */
export const dropFullBuckets = statement<never, { now: Now }>(
  'drop_full_buckets',
  `delete from rate_buckets where tokens + (${now} - at) * ${REFILL_PER_SECOND} >= ${CAPACITY}`,
);
