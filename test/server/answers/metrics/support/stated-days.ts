/** Samples of days that a test states, and the verdict on two of them. */
import type { EntitySums, MeasureName } from '../../../../../src/contract/measures.js';
import { judge } from '../../../../../src/server/answers/metrics/change.js';
import { NO_SUMS, type Sample, sampleOf } from '../../../../../src/server/answers/metrics/samples.js';
import { addDays, type Window, windowEnding } from '../../../../../src/server/base/days.js';

export const SAME = { currentRuns: 1, currentShared: 1, previousRuns: 1, previousShared: 1 };
const WEEK = windowEnding('2026-11-20');

export interface Day {
  readonly runs: number;
  readonly citations?: number;
  /** Of the others that are tracked. */
  readonly others?: number;
  readonly entity: Partial<EntitySums>;
}

/** A sample of the days that begin with the window. */
export const sampleWith = (days: readonly Day[], window: Window = WEEK): Sample =>
  sampleOf(
    window,
    days.map(({ runs, citations = 0, others = 0, entity: { present = 0 } }, at) => ({
      day: addDays(window.start, at),
      runs,
      citations,
      presences: present + others,
    })),
    new Map(days.map(({ entity }, at) => [addDays(window.start, at), { ...NO_SUMS, ...entity }])),
    true,
  );

export const verdictOn = (metric: MeasureName, current: Sample, previous: Sample) =>
  judge(metric, { current, previous, panel: SAME, surfaces: [] }).verdict;
