/** UTC days as YYYY-MM-DD. The clock is always an argument. */
import { LIVE_HORIZON_DAYS, WINDOW_DAYS } from '../contract/limits.js';

export interface Window {
  /** First day, inclusive. */
  readonly start: string;
  /** Last day, inclusive. */
  readonly end: string;
}

/** Milliseconds of a UTC day. */
export const DAY_MS = 86_400_000;

/** The latest result of `utcDay`. Every request computes the current day, and formatting it is slow. */
let latest = { number: Number.NaN, day: '' };

/** The UTC day of a time, as YYYY-MM-DD. */
export function utcDay(time: Date): string {
  const number = Math.floor(time.getTime() / DAY_MS);
  if (number !== latest.number) latest = { number, day: formatted(time) };
  return latest.day;
}

const formatted = (time: Date): string => time.toISOString().slice(0, 10);

/** The day so many days later; earlier for a negative number. It leaves `latest` to the current day. */
export const addDays = (day: string, days: number): string =>
  formatted(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

/** The `days` days that end on `end`. */
export const windowEnding = (end: string, days: number = WINDOW_DAYS): Window => ({
  start: addDays(end, 1 - days),
  end,
});

/** How many days after `from` a day is. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

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

/** Whether a text of the form YYYY-MM-DD is an existing day. */
export function isDay(text: string): boolean {
  // 30 February is read as 2 March.
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
}
