/** The window of a page whose address names none. */
import { WINDOW_PRESETS } from '../../contract/limits.js';
import { firstVerdictIn } from '../../contract/summary.js';
import type { PageReads } from './reads.js';
import { paramsFor, type Slice, withWindow } from './slice.js';

const LONGEST_FIRST = [...WINDOW_PRESETS].sort((a, b) => b - a);

/**
 * The slice over the longest window that has a verdict on the metric of the sentence. In the first days of a brand, over the
 * shortest window, which has its verdict first; else as it is.
 */
export async function openingSlice(reads: PageReads, slice: Slice): Promise<Slice> {
  if (slice.isWindowGiven || !reads.brand.hasRuns) return slice;
  let isYoung = false;
  let opened = slice;
  for (const days of LONGEST_FIRST) {
    opened = withWindow(slice, reads.today, days);
    const overview = await reads.loadIfPossible('overview', paramsFor('overview', opened));
    if ('refused' in overview) continue;
    const { body } = overview;
    if (body.run_count > 0 && body.change.presence_rate.verdict !== 'unknown') return opened;
    isYoung = firstVerdictIn(body, reads.today) !== null;
  }
  return isYoung ? opened : slice;
}
