/** The arithmetic of a token bucket: full at first, refilled continuously, never above its capacity. */
import { RATE_LIMIT } from '../../contract/limits.js';
import type { BucketState, RateState } from '../queries/rate-buckets.js';

export const CAPACITY = RATE_LIMIT.perMinute;
export const REFILL_PER_SECOND = RATE_LIMIT.refillPerSecond;

/** A full bucket. @param now Seconds since 1970. */
export const full = (now: number): BucketState => ({ tokens: CAPACITY, at: now });

/** The bucket at `now`. A clock that went back refills nothing. */
export function refilled({ tokens, at }: BucketState, now: number): BucketState {
  const elapsed = Math.max(0, now - at);
  return { tokens: Math.min(CAPACITY, tokens + elapsed * REFILL_PER_SECOND), at: Math.max(at, now) };
}

/** Takes a token if the bucket has a whole one. A refusal takes nothing. */
export function take(bucket: BucketState, now: number): RateState {
  const { tokens, at } = refilled(bucket, now);
  return tokens >= 1 ? { tokens: tokens - 1, at, granted: true } : { tokens, at, granted: false };
}

/** Whole tokens left. */
export const remaining = ({ tokens }: BucketState): number => Math.floor(tokens);

/** Epoch second from which the bucket is full again. */
export const fullAt = ({ tokens, at }: BucketState): number =>
  Math.ceil(at + (CAPACITY - tokens) / REFILL_PER_SECOND);

/** Seconds until there is a whole token, at least 1. */
export const retryAfter = ({ tokens }: BucketState): number =>
  Math.max(1, Math.ceil((1 - tokens) / REFILL_PER_SECOND));
