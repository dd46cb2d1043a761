/** UTC days as YYYY-MM-DD text, and the windows of the reads. */

import { memoised } from './memo.js';

const DAY_MS = 86_400_000;

/** First and last day, both inside. */
export interface Window {
  start: string;
  end: string;
}

/** UTC date of an RFC 3339 time with any offset. */
export const dayOf = memoised((time) => new Date(time).toISOString().slice(0, 10));

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

/** The `days` days that end on a day. */
export function windowEndingOn(end: string, days: number): Window {
  return { start: addDays(end, 1 - days), end };
}

/** The window of equal length just before. */
export function windowBefore(window: Window): Window {
  return windowEndingOn(addDays(window.start, -1), lengthOf(window));
}

export function lengthOf(window: Window): number {
  return (Date.parse(window.end) - Date.parse(window.start)) / DAY_MS + 1;
}

export function daysOf(window: Window): string[] {
  return Array.from({ length: lengthOf(window) }, (_, index) => addDays(window.start, index));
}

/** First of the 56 UTC days that end today, for which runs are read live. */
export function horizonStart(today: string): string {
  return addDays(today, -55);
}
