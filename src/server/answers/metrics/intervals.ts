/**
 * Intervals: the estimator is a ratio of two sums over days. The days are clusters, because answers of one day have more in
 * common than answers of different days. The prompts are fixed, so a day is what repeats.
 */
import { freedomOf, isEnough } from '../../../contract/enough-days.js';
import type { Bounds } from '../../../contract/intervals.js';
import {
  INTERVAL_LEVEL,
  type IntervalUnit,
  isMeasurable,
  type MeasureName,
  ratioOf,
  scaleOf,
} from '../../../contract/measures.js';
import type { MeasuredDay, Sample } from './samples.js';
import { NORMAL_QUANTILE, studentQuantile } from './student.js';
import { roundedValue } from './values.js';

/** The sums of a measure on one day of its window. */
type RatioSums = Pick<ReturnType<typeof ratioOf>, 'numerator' | 'denominator'> & Pick<MeasuredDay, 'ago'>;

export interface RatioEstimate {
  /** Σ numerator / Σ denominator. */
  readonly ratio: number;
  /** The variance of the ratio. Only meaningful for two days and more. */
  readonly variance: number;
  /** Degrees of freedom of the variance. */
  readonly freedom: number;
  /** The days with a denominator, by how many days before the end of the window they are. */
  readonly days: readonly number[];
  /** What the denominators count: runs, mentions, citations. */
  readonly observations: number;
}

/**
 * The ratio R = ΣX / ΣY and its variance by linearisation over clusters: u = (X − R·Y) / ΣY of each of the G days with Y > 0
 * (W. G. Cochran, Sampling Techniques, 1977, chapter 6; A. C. Cameron, J. B. Gelbach, D. L. Miller, Robust Inference with
 * Multiway Clustering, 2011; A. Deng et al., Applying the Delta Method in Metric Analytics, 2018). Days d < L apart are
 * related by w = 1 − d / L (W. K. Newey, K. D. West, A Simple, Positive Semi-Definite, Heteroskedasticity and
 * Autocorrelation Consistent Covariance Matrix, 1987): V = Σ w·u·u′ / (1 − Σ w / G²) over all pairs of days, which is
 * G / (G − 1) · Σ u² for L = 1.
 * @param related L.
 * @param one What one observation adds to the denominator.
 * @returns Null: no day has a denominator.
 */
export function estimateRatio(sums: readonly RatioSums[], related: number, one = 1): RatioEstimate | null {
  const measured = sums.filter(({ denominator }) => denominator > 0);
  if (measured.length === 0) return null;
  const denominator = measured.reduce((sum, each) => sum + each.denominator, 0);
  const ratio = measured.reduce((sum, each) => sum + each.numerator, 0) / denominator;
  const days = measured.map(({ ago }) => ago);
  const residuals: number[] = [];
  for (const each of measured)
    residuals[each.ago] = (each.numerator - ratio * each.denominator) / denominator;
  // Weights times L, which are whole numbers.
  let [products, weights] = [0, 0];
  for (const day of days)
    for (let apart = 0; apart < related; apart += 1) {
      const other = residuals[day + apart];
      if (other === undefined) continue;
      const weight = (apart === 0 ? 1 : 2) * (related - apart);
      products += weight * residuals[day]! * other;
      weights += weight;
    }
  const pairs = related * days.length ** 2;
  return {
    ratio,
    variance: Math.max(0, ((pairs / (pairs - weights)) * products) / related),
    freedom: freedomOf(days, related),
    days,
    observations: denominator / one,
  };
}

/** The estimate of a measure; null: no day has a denominator, or the entity cannot have the measure. */
export function estimateOf(name: MeasureName, { days, related, hasDomain }: Sample): RatioEstimate | null {
  if (!isMeasurable(name, hasDomain)) return null;
  const ratios = days.map((day) => ({ ago: day.ago, ...ratioOf(name, day) }));
  return estimateRatio(ratios, related, ratios[0]?.one);
}

// Bounds of a ratio, unrounded, at `INTERVAL_LEVEL`.

type Interval = readonly [low: number, high: number];

/** R ± t(ν) · √V; null: too few days. */
function studentInterval({ ratio, variance, freedom }: RatioEstimate): Interval | null {
  if (!isEnough(freedom)) return null;
  const radius = studentQuantile(freedom) * Math.sqrt(variance);
  return [ratio - radius, ratio + radius];
}

/**
 * The score interval (E. B. Wilson, Probable Inference, 1927) of a share with its effective sample size: it never leaves
 * 0 to 1, and is not empty for a share of 0 or 1. Null: too few days.
 */
export function wilsonInterval(estimate: RatioEstimate): Interval | null {
  return isEnough(estimate.freedom) ? scoreInterval(estimate.ratio, effectiveSize(estimate)) : null;
}

/** The score interval of a share of n independent draws. */
export function scoreInterval(ratio: number, n: number): [low: number, high: number] {
  const z2 = NORMAL_QUANTILE ** 2;
  const centre = (ratio + z2 / (2 * n)) / (1 + z2 / n);
  const radius = Math.sqrt(z2 * ((ratio * (1 - ratio)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  return [Math.max(0, centre - radius), Math.min(1, centre + radius)];
}

/**
 * The number of independent draws whose share is as uncertain as this one, at most all observations (E. L. Korn, B. I.
 * Graubard, Confidence Intervals for Proportions with Small Expected Number of Positive Counts, 1998). A share of 0 or 1 has
 * no variance to tell how alike the answers of a day are: then two observations count as one draw, and a day as one at least.
 */
function effectiveSize({ ratio, variance, freedom, days, observations }: RatioEstimate): number {
  if (ratio === 0 || ratio === 1) return Math.max(days.length, observations / 2);
  const size = ((ratio * (1 - ratio)) / variance) * (NORMAL_QUANTILE / studentQuantile(freedom)) ** 2;
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
  return estimate && boundsOf(name, estimate);
}

/** The interval of an estimate on the scale of the measure, rounded as the measure; null: too few days. */
export function boundsOf(name: MeasureName, estimate: RatioEstimate): Bounds | null {
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
  unit: 'day',
  ...(Object.fromEntries(names.map((name) => [name, intervalOf(name, sample)])) as Record<M, Bounds | null>),
});
