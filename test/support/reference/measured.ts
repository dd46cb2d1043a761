/** The days that answers were collected on, and whether a body must say that they begin within its window. */
import type { Window } from './days.js';
import { dayOf, isWithin } from './days.js';
import type { RunRecord } from './records.js';

export type ExpectedMeasured = { first_day: string; last_day: string } | null;

/** @param days In any order. */
export function expectedMeasured(days: string[]): ExpectedMeasured {
  const sorted = [...days].sort();
  return sorted.length === 0 ? null : { first_day: sorted[0]!, last_day: sorted.at(-1)! };
}

/** Whether the runs begin after the first day of the window, and within it. @param runs Of all days, on the engines that count. */
export function beginsWithin(window: Window, runs: RunRecord[]): boolean {
  const first = expectedMeasured(runs.map((run) => dayOf(run.collected_at)))?.first_day;
  return first !== undefined && first > window.start && isWithin(window, first);
}
