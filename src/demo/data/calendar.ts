/** UTC days as whole numbers since 1970-01-01, and the fixed dates of the demo. */
import { DAY_MS, utcDay } from '../../server/days.js';

export const DAY_SECONDS = 86_400;

export const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS);
export const dayOfText = (text: string): number => dayOf(new Date(`${text}T00:00:00Z`));
/** Formats a day as YYYY-MM-DD. */
export const dateText = (day: number): string => utcDay(new Date(day * DAY_MS));
/** Formats a time by RFC 3339; `second` is counted from midnight UTC. */
export const timeText = (day: number, second: number): string =>
  new Date(day * DAY_MS + second * 1000).toISOString();
/** The time that many days before `now`, by RFC 3339. */
export const daysBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString();
/** The number of days, with a fraction, from midnight of `day` to `now`. */
export const daysSince = (day: number, now: Date): number => now.getTime() / DAY_MS - day;
/** The Monday of the day's week. Day 0 was a Thursday. */
export const mondayOf = (day: number): number => day - ((day + 3) % 7);

/** Yields the days from `first` to `last`, including both. */
export function* daysFrom(first: number, last: number): Generator<number> {
  for (let day = first; day <= last; day++) yield day;
}

const QUARTER_MONTHS: readonly number[] = [1, 4, 7, 10];
/** Whether a day is one of the first ten days of a quarter. */
export function isQuarterOpening(day: number): boolean {
  const [, month, date] = dateText(day).split('-').map(Number);
  return QUARTER_MONTHS.includes(month!) && date! <= 10;
}

/**
 * The day when collection for the archived brand ended: the last 10th of January, April, July or October that is at
 * least three weeks ago. It is a calendar date and not "n days ago", so that it does not change with each start.
 */
export function closingDay(today: number): number {
  let day = today - 21;
  while (!(isQuarterOpening(day) && dateText(day).endsWith('-10'))) day--;
  return day;
}
