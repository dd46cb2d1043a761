/** Confidence intervals of an estimated ratio, unrounded, at `INTERVAL_LEVEL`. */
import { LEAST_UNITS } from '../../../contract/measures.js';
import type { RatioEstimate } from './ratio.js';
import { NORMAL_QUANTILE, studentQuantile } from './student.js';

export type Interval = readonly [low: number, high: number];

/** Whether so many units allow an interval or a verdict. */
export const hasEnoughUnits = (units: number): boolean => units >= LEAST_UNITS;

/** R ± t(G − 1) · √V; null: too few units. */
export function studentInterval({ ratio, variance, units }: RatioEstimate): Interval | null {
  if (!hasEnoughUnits(units)) return null;
  const radius = studentQuantile(units - 1) * Math.sqrt(variance);
  return [ratio - radius, ratio + radius];
}

/**
 * The score interval (E. B. Wilson, Probable Inference, 1927) of a share with its effective sample size: it never leaves
 * 0 to 1, and is not empty for a share of 0 or 1. Null: too few units.
 */
export function wilsonInterval(estimate: RatioEstimate): Interval | null {
  if (!hasEnoughUnits(estimate.units)) return null;
  const { ratio } = estimate;
  const z2 = NORMAL_QUANTILE ** 2;
  const n = effectiveSize(estimate);
  const centre = (ratio + z2 / (2 * n)) / (1 + z2 / n);
  const radius = Math.sqrt(z2 * ((ratio * (1 - ratio)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  return [Math.max(0, centre - radius), Math.min(1, centre + radius)];
}

/**
 * The number of independent draws whose share is as uncertain as this one, at most all observations (E. L. Korn, B. I.
 * Graubard, Confidence Intervals for Proportions with Small Expected Number of Positive Counts, 1998). A share of 0 or 1 has
 * no variance to tell how alike the answers of a day are: then two observations count as one draw, and a unit as one at least.
 */
function effectiveSize({ ratio, variance, units, observations }: RatioEstimate): number {
  if (ratio === 0 || ratio === 1) return Math.max(units, observations / 2);
  const size = ((ratio * (1 - ratio)) / variance) * (NORMAL_QUANTILE / studentQuantile(units - 1)) ** 2;
  return Math.min(observations, size);
}
