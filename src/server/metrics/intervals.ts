/**
 * Intervals: the estimator is a ratio of two sums over days. The days are clusters, because answers of one day have more in
 * common than answers of different days. The prompts are fixed, so a day is what repeats.
 */
import type { Bounds } from '../../contract/intervals.js';
import {
  INTERVAL_LEVEL,
  type IntervalUnit,
  isMeasurable,
  LEAST_UNITS,
  type MeasureName,
  ratioOf,
  scaleOf,
} from '../../contract/measures.js';
import type { Sample } from './samples.js';
import { NORMAL_QUANTILE, studentQuantile } from './student.js';
import { roundedValue } from './values.js';

/** The sums of a measure over one unit of its window. */
type RatioSums = Pick<ReturnType<typeof ratioOf>, 'numerator' | 'denominator'>;

export interface RatioEstimate {
  /** Σ numerator / Σ denominator. */
  readonly ratio: number;
  /** The variance of the ratio. Only meaningful for two units and more. */
  readonly variance: number;
  /** Units with a denominator. */
  readonly units: number;
  /** What the denominators count: runs, mentions, citations. */
  readonly observations: number;
}

/**
 * The ratio R = ΣX / ΣY and its variance by linearisation over clusters: V = G / (G − 1) · Σ u², u = (X − R·Y) / ΣY, over
 * the G units with Y > 0 (W. G. Cochran, Sampling Techniques, 1977, chapter 6; A. C. Cameron, J. B. Gelbach, D. L. Miller,
 * Robust Inference with Multiway Clustering, 2011; A. Deng et al., Applying the Delta Method in Metric Analytics, 2018).
 * @param one What one observation adds to the denominator.
 * @returns Null: no unit has a denominator.
 */
export function estimateRatio(sums: readonly RatioSums[], one = 1): RatioEstimate | null {
  const measured = sums.filter(({ denominator }) => denominator > 0);
  const units = measured.length;
  if (units === 0) return null;
  const denominator = measured.reduce((sum, each) => sum + each.denominator, 0);
  const ratio = measured.reduce((sum, each) => sum + each.numerator, 0) / denominator;
  const squares = measured.reduce(
    (sum, each) => sum + ((each.numerator - ratio * each.denominator) / denominator) ** 2,
    0,
  );
  return { ratio, variance: (units / (units - 1)) * squares, units, observations: denominator / one };
}

/** The estimate of a measure; null: no unit has a denominator, or the entity cannot have the measure. */
export function estimateOf(name: MeasureName, { units, hasDomain }: Sample): RatioEstimate | null {
  if (!isMeasurable(name, hasDomain)) return null;
  const ratios = units.map((sums) => ratioOf(name, sums));
  return estimateRatio(ratios, ratios[0]?.one);
}

// Bounds of a ratio, unrounded, at `INTERVAL_LEVEL`.

type Interval = readonly [low: number, high: number];

/** Whether so many units allow an interval or a verdict. */
export const hasEnoughUnits = (units: number): boolean => units >= LEAST_UNITS;

/** R ± t(G − 1) · √V; null: too few units. */
function studentInterval({ ratio, variance, units }: RatioEstimate): Interval | null {
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

// Bounds of a measure, on its scale and rounded as the measure.

/** The least ratio that a measure can have; the largest is 1. */
export function lowestRatio(name: MeasureName): number {
  const { times, plus } = scaleOf(name);
  return (0 - plus) / times;
}

/**
 * Null: not measured, or on too few days to say. At an end of its scale every measure has the interval of a share, because no
 * variance is measured there.
 */
export function intervalOf(name: MeasureName, sample: Sample): Bounds | null {
  const estimate = estimateOf(name, sample);
  if (estimate === null) return null;
  const { times, plus, interval } = scaleOf(name);
  const lowest = lowestRatio(name);
  const share = (estimate.ratio - lowest) / (1 - lowest);
  const top = plus + times;
  const [bounds, onScale] =
    interval === 'wilson' || share === 0 || share === 1
      ? [wilsonInterval({ ...estimate, ratio: share }), (bound: number) => top * bound]
      : [studentInterval(estimate), (bound: number) => plus + times * bound];
  return (
    bounds &&
    (bounds.map((bound) => roundedValue(name, Math.max(0, Math.min(top, onScale(bound))))) as Bounds)
  );
}

type Intervals<M extends MeasureName> = { level: number; unit: IntervalUnit } & Record<M, Bounds | null>;

/** The interval of each measure, as a field of the contract. */
export const intervalsOf = <M extends MeasureName>(names: readonly M[], sample: Sample): Intervals<M> => ({
  level: INTERVAL_LEVEL,
  unit: sample.unit,
  ...(Object.fromEntries(names.map((name) => [name, intervalOf(name, sample)])) as Record<M, Bounds | null>),
});
