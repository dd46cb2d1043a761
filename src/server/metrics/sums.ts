/** Sums of several days or engines together. */
import type { EntitySums, WindowSums } from './entity-metrics.js';

/** The sums of one entity over both. */
export const addEntitySums = (a: EntitySums, b: EntitySums): EntitySums => ({
  present: a.present + b.present,
  positionSum: a.positionSum + b.positionSum,
  weightSum: a.weightSum + b.weightSum,
  positive: a.positive + b.positive,
  neutral: a.neutral + b.neutral,
  negative: a.negative + b.negative,
  citations: a.citations + b.citations,
});

export const NO_RUNS: WindowSums = { runs: 0, citations: 0, presences: 0 };

/** The sums over both windows. */
export const addWindowSums = (a: WindowSums, b: WindowSums): WindowSums => ({
  runs: a.runs + b.runs,
  citations: a.citations + b.citations,
  presences: a.presences + b.presences,
});
