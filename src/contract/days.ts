/** UTC days as YYYY-MM-DD. The clock is always an argument. */

/** Milliseconds of a UTC day. */
export const DAY_MS = 86_400_000;

/** The UTC day of a time, as YYYY-MM-DD. */
export const utcDay = (time: Date): string => time.toISOString().slice(0, 10);

/** The day so many days later; earlier for a negative number. */
export const addDays = (day: string, days: number): string =>
  utcDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

/** How many days after `from` a day is. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;
