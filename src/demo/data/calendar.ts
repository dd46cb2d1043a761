/** UTC days as whole numbers since 1970-01-01, and the fixed points of the demo's story. */
import { DAY_MS, utcDay } from '../../server/days.js';

export const DAY_SECONDS = 86_400;

export const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS);
export const dayOfText = (text: string): number => dayOf(new Date(`${text}T00:00:00Z`));
/** YYYY-MM-DD. */
export const dateText = (day: number): string => utcDay(new Date(day * DAY_MS));
/** RFC 3339, `second` counted from midnight UTC. */
export const timeText = (day: number, second: number): string =>
  new Date(day * DAY_MS + second * 1000).toISOString();
/** RFC 3339, that many days before a moment. */
export const daysBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString();
/** Days, with their fractions, from the day's midnight to a moment. */
export const daysSince = (day: number, now: Date): number => now.getTime() / DAY_MS - day;
/** The Monday of the day's week. Day 0 was a Thursday. */
export const mondayOf = (day: number): number => day - ((day + 3) % 7);

/** From `first` to `last`, both included. */
export function* daysFrom(first: number, last: number): Generator<number> {
  for (let day = first; day <= last; day++) yield day;
}

const QUARTER_MONTHS: readonly number[] = [1, 4, 7, 10];
/** The tenth of the first month of a quarter, and the nine days before it. */
export function isQuarterOpening(day: number): boolean {
  const [, month, date] = dateText(day).split('-').map(Number);
  return QUARTER_MONTHS.includes(month!) && date! <= 10;
}

/**
 * When the archived brand was given up: the last tenth of January, April, July or October that lies at least
 * three weeks back. A calendar date and not "n days ago", so that it does not creep forward with each start.
 */
export function closingDay(today: number): number {
  let day = today - 21;
  while (!(isQuarterOpening(day) && dateText(day).endsWith('-10'))) day--;
  return day;
}
