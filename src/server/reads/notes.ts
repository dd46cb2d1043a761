import { sentence } from '../../contract/notes.js';
import { windowEnding } from '../days.js';
import { windowHasRuns } from '../sums/collected-days.js';
import type { ReadContext } from './reader.js';

/** States that no run was collected on these engines in the default window, or ever; null: there are runs. */
export async function noRunsNote(
  { db, brand, today }: ReadContext,
  engines: readonly string[],
): Promise<string | null> {
  if (!brand.hasRuns) return sentence('neverCollected');
  const [window] = await windowHasRuns(db, { brandKey: brand.key, engines, ...windowEnding(today) });
  return window!.hasRuns ? null : sentence('notInWindow');
}
