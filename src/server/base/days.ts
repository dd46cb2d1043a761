/** Windows of UTC days. */
import { addDays, daysBetween } from '../../contract/days.js';
import { LIVE_HORIZON_DAYS, WINDOW_DAYS } from '../../contract/limits.js';

export * from '../../contract/days.js';

export interface Window {
  /** First day, inclusive. */
  readonly start: string;
  /** Last day, inclusive. */
  readonly end: string;
}

/** The `days` days that end on `end`. */
export const windowEnding = (end: string, days: number = WINDOW_DAYS): Window => ({
  start: addDays(end, 1 - days),
  end,
});

/** How many days a window has, both ends counted. */
export const daysIn = ({ start, end }: Window): number => daysBetween(start, end) + 1;

/** Every day of a window, oldest first. */
export const everyDayOf = (window: Window): string[] =>
  Array.from({ length: daysIn(window) }, (_, at) => addDays(window.start, at));

/** The window of equal length just before. */
export const windowBefore = (window: Window): Window =>
  windowEnding(addDays(window.start, -1), daysIn(window));

/** The first day that is computed live. The runs of earlier days may have been deleted. */
export const liveSince = (today: string): string => addDays(today, 1 - LIVE_HORIZON_DAYS);

/** The first day of the week of a day. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

/** Whether a text of the form YYYY-MM-DD is an existing day. */
export function isDay(text: string): boolean {
  // 30 February is read as 2 March.
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
}
