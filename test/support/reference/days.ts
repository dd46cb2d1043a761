/** UTC days as YYYY-MM-DD text, and the two fixed windows of the core reads. */

const DAY_MS = 86_400_000;

/** First and last day, both inside. */
export interface Window {
  start: string;
  end: string;
}

/** UTC date of an RFC 3339 time with any offset. */
export function dayOf(time: string): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The 7 UTC days that end today. */
export function currentWindow(today: string): Window {
  return { start: addDays(today, -6), end: today };
}

/** The 7 days before those. */
export function priorWindow(today: string): Window {
  return { start: addDays(today, -13), end: addDays(today, -7) };
}

export function isWithin(window: Window, day: string): boolean {
  return window.start <= day && day <= window.end;
}
