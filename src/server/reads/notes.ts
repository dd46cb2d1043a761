/** Why a read of a window's answers may have nothing to show. */
import { windowEnding } from '../days.js';
import { windowHasRuns } from '../sums/collected-days.js';
import type { ReadContext } from './reader.js';

/** Caveats in words. */

/** The sentences that hold, as one text; null when there is nothing to say. */
export function notes(sentences: readonly (string | false | null | undefined)[]): string | null {
  return sentences.filter(Boolean).join(' ') || null;
}

/** Its days may have imported statistics. */
export const NEVER_COLLECTED = 'No answer was ever collected for this brand.';
export const NOT_IN_WINDOW = 'No answer was collected in this window: nothing was measured in it.';

/** States that no run was collected on these engines in the default window, or ever; null: there are runs. */
export async function noRunsNote(
  { db, brand, today }: ReadContext,
  engines: readonly string[],
): Promise<string | null> {
  if (!brand.hasRuns) return NEVER_COLLECTED;
  const [window] = await windowHasRuns(db, { brandKey: brand.key, engines, ...windowEnding(today) });
  return window!.hasRuns ? null : NOT_IN_WINDOW;
}
