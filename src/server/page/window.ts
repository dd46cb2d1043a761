/** The window that a page opens on where its address names none: the longest that has a verdict. */
import { blendedEngineIds } from '../../contract/engines.js';
import { WINDOW_PRESETS } from '../../contract/limits.js';
import { LEAST_UNITS } from '../../contract/measures.js';
import { addDays, type Window, windowBefore, windowEnding } from '../days.js';
import { NO_RUNS, sampleOf } from '../metrics/samples.js';
import { isStalled } from './blocks/actions.js';
import type { PageReads } from './reads.js';
import { type Slice, withWindow } from './slice.js';

const LENGTHS = WINDOW_PRESETS.toSorted((a, b) => b - a);
const MAX_DAYS = Math.max(...WINDOW_PRESETS);
const SHORTEST = Math.min(...WINDOW_PRESETS);

export interface Opening {
  readonly slice: Slice;
  /** Days until the first verdict, if answers are collected every day; null: there is one, or none will come. */
  readonly firstVerdictIn: number | null;
}

/** The slice with the window that the page opens on, if the address names none. One statement. */
export async function opening(reads: PageReads, slice: Slice): Promise<Opening> {
  const { brand, today } = reads;
  if (!brand.hasRuns) return { slice, firstVerdictIn: null };
  const both = { start: windowBefore(windowEnding(today, MAX_DAYS)).start, end: today };
  const days = await reads.daysWithRuns(both, blendedEngineIds);
  const length = longestWithVerdict(days, today);
  if (length === null) {
    const newest = days.toSorted().at(-1) ?? null;
    const isComing = newest !== null && !brand.archived && !isStalled({ today, archived: false, newest });
    return { slice, firstVerdictIn: isComing ? daysToVerdict(days, today) : null };
  }
  return { slice: slice.isWindowGiven ? slice : withWindow(slice, today, length), firstVerdictIn: null };
}

/** The longest window that ends on a day and has a verdict, in days; null: there is none. */
export const longestWithVerdict = (days: readonly string[], end: string): number | null =>
  LENGTHS.find((length) => hasVerdict(days, windowEnding(end, length))) ?? null;

/** Whether a window and the one before have answers on enough days, or weeks. */
const hasVerdict = (days: readonly string[], window: Window): boolean =>
  [window, windowBefore(window)].every((each) => unitsIn(days, each) >= LEAST_UNITS);

const unitsIn = (days: readonly string[], window: Window): number =>
  sampleOf(
    window,
    days.map((day) => ({ ...NO_RUNS, day, runs: 1 })),
    new Map(),
    false,
  ).units.length;

/** After how many days a window has a verdict, if each of them has answers. */
export function daysToVerdict(days: readonly string[], today: string): number {
  const coming = [...days];
  for (let wait = 1; ; wait++) {
    const day = addDays(today, wait);
    coming.push(day);
    // Two windows of the shortest length that are full have a verdict.
    if (wait >= 2 * SHORTEST || longestWithVerdict(coming, day) !== null) return wait;
  }
}
