import { RATE_LIMIT } from '../../contract/limits.js';
import { statement } from './statement.js';

export interface BucketState {
  /** Tokens at that time, fractions included. */
  readonly tokens: number;
  /** Seconds since 1970. */
  readonly at: number;
}

/** The bucket after a request. */
export interface RateState extends BucketState {
  readonly granted: boolean;
}

const { perMinute: CAPACITY, refillPerSecond: REFILL_PER_SECOND } = RATE_LIMIT;

const refilled = `least(${CAPACITY}, b.tokens + greatest(0, excluded.at - b.at) * ${REFILL_PER_SECOND})`;
/** The given time in seconds, else that of the database, so that servers with different clocks agree. */
const now =
  'coalesce(cast(:now as double precision), cast(extract(epoch from clock_timestamp()) as double precision))';

/** Seconds since 1970; null: now, by the clock of the database. */
type Now = number | null;

/** Refills the bucket and takes a token if it has a whole one, in one statement, by the rule of `take`. */
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

/** The stored bucket (null: not stored) and the current time. */
export const peekBucket = statement<
  { now: number } & (BucketState | { tokens: null; at: null }),
  { bucket: string; now: Now }
>(
  'peek_bucket',
  `select n.now, b.tokens, b.at from (select ${now} as now) n left join rate_buckets b on b.bucket = :bucket`,
);

/** Deletes buckets that are full by now: a bucket that is not stored counts as full. */
export const dropFullBuckets = statement<never, { now: Now }>(
  'drop_full_buckets',
  `delete from rate_buckets where tokens + (${now} - at) * ${REFILL_PER_SECOND} >= ${CAPACITY}`,
);
