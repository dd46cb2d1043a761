/** Every number of the contract that limits something. */

/** Token bucket per key: all may arrive at once, then two a second. */
export const RATE_LIMIT = { perMinute: 120, refillPerSecond: 2 } as const;
export const PAGE_LIMIT = { minimum: 1, maximum: 200, default: 50 } as const;
export const WINDOW_DAYS = 7;
/** Days, counting today, whose runs are computed live. */
export const LIVE_HORIZON_DAYS = 56;
export const LOW_CONFIDENCE_BELOW_RUNS = 5;
/** Rows of the unpaged reads. */
export const CAPS = { sources: 20, urls: 50, answers: 200 } as const;
export const READ_CACHE_SECONDS = 3600;
