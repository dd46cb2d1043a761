import { engineLabel, SEARCH_ENGINES } from '../../contract/glossary.js';
import type { ModelChange } from '../../contract/model-changes.js';
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
