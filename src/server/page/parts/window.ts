/** The window and the engines that a block is about, in words. */
import type { EngineId } from '../../../contract/engines.js';
import { span } from './dates.js';
import { engineName } from './names.js';

interface Sliced {
  readonly window: { readonly start: string | null; readonly end: string | null };
  readonly slice: { readonly engines: readonly (EngineId | (string & {}))[] | null } | null;
}

/** `24 Oct – 20 Nov 2026`, and the engines of a filter; null: the read has no window. */
export function aboutOf({ window: { start, end }, slice }: Sliced): string | null {
  if (start === null || end === null) return null;
  const engines = slice?.engines ? `, ${slice.engines.map(engineName).join(', ')}` : '';
  return `${span(start, end)}${engines}`;
}
