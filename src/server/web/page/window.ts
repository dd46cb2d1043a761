/** The window that a page opens on where its address names none. */
import { openingOf } from '../../../contract/opening.js';
import { firstVerdictIn } from '../../../contract/summary.js';
import { windowEnding } from '../../base/days.js';
import type { PageReads } from './reads.js';
import { type Slice, withWindow } from './slice.js';

export interface Opening {
  readonly slice: Slice;
  /** Days until the first verdict, if answers are collected every day; null: there is one, or none will come. */
  readonly firstVerdictIn: number | null;
}

/** The slice with the window that the page opens on, if the address names none: that of all answers, whatever the filters. */
export async function opening(reads: PageReads, slice: Slice): Promise<Opening> {
  const { brand, today } = reads;
  if (slice.isWindowGiven || !brand.hasRuns) return { slice, firstVerdictIn: null };
  const { days, overview } = await openingDays(reads);
  return {
    slice: withWindow(slice, today, days),
    firstVerdictIn: brand.archived ? null : firstVerdictIn(overview, today),
  };
}

export const openingDays = async (reads: PageReads) =>
  openingOf(
    async (days) => {
      const { start, end } = windowEnding(reads.today, days);
      return (await reads.load('overview', { from: start, to: end })).body;
    },
    await reads.daysCollected(),
  );
