import { printable } from '../../contract/printable.js';
import type { SvcError } from '../../sdk/errors.js';
import { duration } from '../render/duration.js';

/** Shorter waits are not reported. */
export const NOTED_FROM_MS = 1000;

/**
 * `503 Database unavailable; next try in 28 s`.
 * @param wait Milliseconds until the request is sent again; rounded up to seconds. 0: it is being sent.
 * @param width Maximum columns; only the reason is shortened, never the time.
 */
export function waitText(
  { status, message }: SvcError,
  wait: number,
  width: number = Number.POSITIVE_INFINITY,
): string {
  // The second sentence of a refusal states another time, which can be shorter than the wait.
  const [sentence] = printable(message).split(/\.(?: |$)/, 1);
  const reason = `${status === null ? '' : `${status} `}${sentence}`;
  const next = wait > 0 ? `; next try in ${duration(Math.ceil(wait / 1000) * 1000)}` : '; trying again';
  const room = Math.max(0, width - next.length);
  return (reason.length > room ? `${reason.slice(0, Math.max(0, room - 1))}…` : reason) + next;
}
