/** The window and the engines that a block is about, in words. */
import type { EngineId } from '../../../contract/engines.js';
import type { MeasuredDays } from '../../../contract/slice.js';
import { daysBetween } from '../../days.js';
import { longDay, span } from './dates.js';
import { engineName } from './names.js';

interface Sliced {
  readonly window: { readonly start: string | null; readonly end: string | null };
  /** The days that have answers; null: none has. */
  readonly measured: MeasuredDays;
  readonly slice: { readonly engines: readonly (EngineId | (string & {}))[] | null } | null;
}

/** `24 Oct – 20 Nov 2026`, the part of it that has answers, and the engines of a filter; null: the read has no window. */
export function aboutOf({ window: { start, end }, measured, slice }: Sliced): string | null {
  if (start === null || end === null) return null;
  const engines = slice?.engines ? [slice.engines.map(engineName).join(', ')] : [];
  return [span(start, end), ...measuredPart(start, end, measured), ...engines].join(', ');
}

/** Nothing where only the last day has no answer: the current day may not be collected yet. */
function measuredPart(start: string, end: string, measured: MeasuredDays): string[] {
  if (measured === null) return [];
  const { first_day, last_day } = measured;
  const isEarly = daysBetween(last_day, end) > 1;
  if (first_day > start)
    return [`measured ${isEarly ? span(first_day, last_day) : `from ${longDay(first_day)} on`}`];
  return isEarly ? [`measured to ${longDay(last_day)}`] : [];
}
