import type { SvcError } from './errors.js';

/** Failures other than a 429 rarely end by waiting, so only two more attempts follow. */
const RETRIES_OF_FAILURES = 2;
const FIRST_BACKOFF_MS = 500;
/** The API's bucket never asks for more than a minute; where something else does, the caller gets its error. */
export const LONGEST_WAIT_MS = 60_000;
/** A refusal that does not say how long; the bucket gains a token in half of it. */
const UNSTATED_REFUSAL_MS = 1000;

/**
 * @param attempt How often this call was refused (429), or has failed otherwise, this time included.
 * @param resends How often a failure is tried again: more for log shipping, which runs unattended; 0 for a request that must not arrive twice.
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
 * Milliseconds before the same request may be sent again. Stated times are exceeded by up to a quarter, so that
 * callers refused together do not come back together.
 */
export function waitBefore({ status, retryAfterSeconds: stated }: SvcError, attempt: number): number {
  const backoff =
    status === 429
      ? UNSTATED_REFUSAL_MS
      : Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS / 1.25);
  return (stated === null ? backoff : stated * 1000) * (1 + Math.random() / 4);
}

/** 501 says that the server will never do it; 408 is the one 4xx besides 429 that says it may. */
const mayHeal = (error: SvcError): boolean =>
  error.status === 408 || (error.retryable && error.status !== 501);
