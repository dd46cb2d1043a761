import { counted } from '../view.js';

interface Window {
  readonly start: string | null;
  readonly end: string | null;
  readonly days: number;
}

/** `2026-10-24 to 2026-11-20, 28 days`; a window without bounds is told by its length. */
export function period({ start, end, days }: Window): string {
  const length = counted(days, 'day');
  return start === null || end === null ? `${length}, nothing on record` : `${start} to ${end}, ${length}`;
}

/** The engine filter in words. */
export const scopeOf = (
  engines: readonly string[] | null,
  unfiltered = 'blended search-grounded engines',
): string => (engines === null ? unfiltered : engines.join(', '));
