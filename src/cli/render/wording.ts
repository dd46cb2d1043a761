import { engineLabel, SEARCH_ENGINES } from '../../contract/glossary.js';
import type { ModelChange } from '../../contract/model-changes.js';
import type { MeasuredDays } from '../../contract/slice.js';
import { daysBetween } from './today.js';
import { counted, grouped } from './view.js';

interface Window {
  readonly start: string | null;
  readonly end: string | null;
  readonly days: number;
}

/** `2026-10-24 to 2026-11-20 UTC, 28 days`; a window without bounds is described by its length. */
export function period({ start, end, days }: Window): string {
  const length = counted(days, 'day');
  return start === null || end === null
    ? `${length}, nothing on record`
    : `${start} to ${end} UTC, ${length}`;
}

/**
 * The part of a window that has answers: `measured from 2026-09-25 on`. Empty if it begins with its window and ends with it or
 * the day before, because the current day may not be collected yet; also for servers that do not state it, and without answers.
 */
export function measuredPart(
  { start, end }: Pick<Window, 'start' | 'end'>,
  measured?: MeasuredDays,
): string[] {
  if (!measured || start === null || end === null) return [];
  const { first_day, last_day } = measured;
  const isLate = first_day > start;
  const isEarly = daysBetween(last_day, end) > 1;
  if (!isLate && !isEarly) return [];
  if (!isEarly) return [`measured from ${first_day} on`];
  return [isLate ? `measured from ${first_day} to ${last_day}` : `measured to ${last_day}`];
}

interface Dated {
  readonly window?: Window;
  readonly window_days: number;
  readonly measured?: MeasuredDays;
}

/** The days of a response for its title; servers before 2026-11-23 state only their number. */
export const datesText = ({ window, window_days, measured }: Dated): string =>
  window?.start
    ? [period(window), ...measuredPart(window, measured)].join(', ')
    : `last ${counted(window_days, 'day')}`;

/** The text for an engine filter. */
export const enginesText = (engines: readonly string[] | null, unfiltered = SEARCH_ENGINES): string =>
  engines === null ? unfiltered : engines.map(engineLabel).join(', ');

/** Models named in a sentence. */
const NAMED_MODELS = 4;

/** `first seen: gpt-5.2 on chatgpt (2026-11-18)`, a few by name. */
export function newModels(changes: readonly ModelChange[]): string {
  const named = changes
    .slice(0, NAMED_MODELS)
    .map(({ engine, model, since }) => `${model} on ${engineLabel(engine)} (${since})`);
  const more = changes.length - named.length;
  return `first seen: ${named.join(', ')}${more > 0 ? ` and ${counted(more, 'more model')}` : ''}`;
}

/** `39 searches`, with the number of shown rows if some are left out; empty if there are no rows. */
export function listed(total: number, shown: number, noun: string, plural?: string): string[] {
  if (total === 0) return [];
  const all = counted(total, noun, plural);
  return [shown < total ? `${all}, the first ${grouped(shown)} shown` : all];
}
