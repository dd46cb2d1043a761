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

/** The tokens that a check takes, from the row that it would insert into an empty table. */
const wanted = `(${CAPACITY} - excluded.tokens)`;

/**
 * Refills buckets and takes from each a count of tokens, or nothing if it holds fewer, in one statement. All servers lock
 * the rows in the order of their names, so that no two of them wait for each other.
 * @param counts As long as `buckets`, from 1 to the capacity. No bucket may be named twice.
 */
export const takeTokens = statement<
  RateState & { bucket: string },
  { buckets: readonly string[]; counts: readonly number[]; now: Now }
>(
  'take_tokens',
  `insert into rate_buckets as b (bucket, tokens, at, granted)
   select w.bucket, ${CAPACITY} - w.count, ${now}, true
   from unnest(cast(:buckets as text[]), cast(:counts as integer[])) as w(bucket, count)
   order by w.bucket collate "C"
   on conflict (bucket) do update set
     tokens = ${refilled} - case when ${refilled} >= ${wanted} then ${wanted} else 0 end,
     at = greatest(b.at, excluded.at),
     granted = ${refilled} >= ${wanted}
   returning bucket, tokens, at, granted`,
);

/** The stored bucket (null: not stored) and the current time. */
export const peekBucket = statement<
  { now: number } & (BucketState | { tokens: null; at: null }),
  { bucket: string; now: Now }
>(
  'peek_bucket',
  `select n.now, b.tokens, b.at from (select ${now} as now) n left join rate_buckets b on b.bucket = :bucket`,
);

/**
 * Deletes buckets that are full by now: a bucket that is not stored counts as full. Rows that a check is using are
 * skipped, because checks lock rows in another order.
 */
export const dropFullBuckets = statement<never, { now: Now }>(
  'drop_full_buckets',
  `delete from rate_buckets where bucket in (
     select bucket from rate_buckets where tokens + (${now} - at) * ${REFILL_PER_SECOND} >= ${CAPACITY}
     for update skip locked)`,
);
