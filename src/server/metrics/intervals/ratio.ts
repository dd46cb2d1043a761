/**
 * The estimator of all intervals and verdicts: a ratio of two sums over days. The days are clusters, because answers of one
 * day have more in common than answers of different days. The prompts are fixed, so a day is what repeats.
 */

/** The sums of a metric over one unit of its window: what counts, of what. */
export interface RatioSums {
  readonly numerator: number;
  readonly denominator: number;
}

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
