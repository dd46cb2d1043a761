import { WINDOW_DAYS } from '../../contract/limits.js';

/** The current day; days are days of UTC in every read. */
export const today = (): string => new Date().toISOString().slice(0, 10);

const DAY_MS = 86_400_000;

/** How many days after `from` a day is. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** A window as parameters. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * The days that end on a day, as parameters. Commands that join reads ask for these explicitly: without them some reads end
 * today, and others on the newest collected day.
 */
export const daysEnding = (to: string, days: number): Days => ({
  from: new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, 10),
  to,
});

/** The days of a read without a window: those that end today. */
export const lastDays = (): Days => daysEnding(today(), WINDOW_DAYS);

/** The mark of the current day, and its meaning. */
export const UNFINISHED = '*';
export const UNFINISHED_MEANS = `${UNFINISHED} today is not over (UTC): its value may still change`;

/** A day, with the mark if it is the current one. */
export const markedDay = (date: string): string => (date === today() ? `${date} ${UNFINISHED}` : date);
