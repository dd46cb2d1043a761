/** How a schedule and its collections read: when a server starts, and in `svc doctor --server`. */

import type { RoutineStatus } from '../../collect/routine.js';
import { faultText } from '../../contract/collection.js';
import type { Collection } from '../../server/answers/collections.js';
import { usd } from '../render/view.js';

/** `2026-11-24 04:00 UTC` */
export const minute = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** When a server collects, or why it does not. */
export function scheduleText(
  { file, brand, schedule, fault, nextAt, obstacle }: RoutineStatus,
  now: Date,
): string {
  if (fault !== null) return `nothing until ${file} is corrected, which is read again every minute`;
  if (schedule === null || brand === null) return `nothing by itself: ${file} has no [schedule]`;
  const { everyDays, at, maxUsd } = schedule;
  const again = `${everyDays === 1 ? 'every day' : `every ${everyDays} days`} at ${at} UTC`;
  const limit = maxUsd === null ? '' : `, for at most ${usd(maxUsd)} a day`;
  const what = `answers for ${brand.id}`;
  if (obstacle !== null)
    return `no ${what}: ${faultText(obstacle)} The schedule is ${again}${limit}, by ${file}`;
  const first = nextAt === null || nextAt <= now ? 'now' : `next on ${minute(nextAt)}`;
  return `${what} ${first}, then ${again}${limit}, by ${file}`;
}

/** `118 of 120 answers for $1.24 (240 calls), from 2026-11-23 04:00 UTC to 04:12` */
export function collectionText({
  startedAt,
  endedAt,
  answered,
  missing,
  calls,
  costUsd,
  assumedUsd,
}: Collection): string {
  const cost =
    costUsd === null ? 'a cost that is not known' : `${assumedUsd ? 'at most ' : ''}${usd(costUsd)}`;
  const gave =
    answered === null || missing === null
      ? 'nothing yet'
      : `${answered} of ${answered + missing} answers for ${cost} (${calls} calls)`;
  const from = startedAt === null ? '' : `, from ${minute(startedAt)}`;
  const to = endedAt === null ? '' : ` to ${endedAt.toISOString().slice(11, 16)}`;
  return gave + from + to;
}
