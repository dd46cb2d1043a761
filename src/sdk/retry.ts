import type { SvcError } from './errors.js';

/** Waiting rarely helps after a failure other than a 429, so there are only two retries. */
const RETRIES_OF_FAILURES = 2;
const FIRST_BACKOFF_MS = 500;
/** The API's bucket never requires a longer wait. If something else does, the caller gets the error. */
export const LONGEST_WAIT_MS = 60_000;
/** The wait after a refusal without Retry-After. The bucket gains a token in half of it. */
const UNSTATED_REFUSAL_MS = 1000;

/**
 * @param attempt The number of refusals (429), or of other failures, of this call so far, including this one.
 * @param resends The limit of retries after a failure: higher for log shipping, which runs unattended; 0 for a request
 * that must not arrive twice.
 */
export function mayRetry(
  error: SvcError,
  attempt: number,
  maxRetries: number,
  resends = RETRIES_OF_FAILURES,
): boolean {
  const most = error.status === 429 ? maxRetries : Math.min(maxRetries, resends);
  return attempt <= most && mayHeal(error);
}

/**
 * The wait before the same request may be sent again, in milliseconds. Up to a quarter is added at random, so that
 * callers that were refused together do not retry together.
 */
export function waitBefore({ status, retryAfterSeconds: stated }: SvcError, attempt: number): number {
  const backoff =
    status === 429
      ? UNSTATED_REFUSAL_MS
      : Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS / 1.25);
  return (stated === null ? backoff : stated * 1000) * (1 + Math.random() / 4);
}

/** Whether a retry can help. It cannot after a 501; 408 is the only status of 4xx besides 429 after which it can. */
const mayHeal = (error: SvcError): boolean =>
  error.status === 408 || (error.retryable && error.status !== 501);
