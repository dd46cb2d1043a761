import type { SvcError } from '../sdk/errors.js';
import { duration } from './duration.js';
import { printable } from './marks.js';

/** Shorter waits are over before anybody wonders. */
export const TOLD_FROM_MS = 1000;

/**
 * `503 Database unavailable; next try in 28 s`.
 * @param wait Milliseconds until the request is sent again; rounded up to seconds. None left: it is being sent.
 */
export function waitText({ status, message }: SvcError, wait: number): string {
  const reason = printable(message).replace(/\.$/, '');
  const next = wait > 0 ? `next try in ${duration(Math.ceil(wait / 1000) * 1000)}` : 'trying again';
  return `${status === null ? '' : `${status} `}${reason}; ${next}`;
}
