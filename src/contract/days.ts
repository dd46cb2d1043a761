/** UTC days as YYYY-MM-DD. The clock is always an argument. */

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

/** How many days after `from` a day is. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;
