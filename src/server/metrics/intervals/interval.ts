/** The interval of a metric over one window, on the scale of the metric and rounded as the metric. */
import type { Bounds } from '../../../contract/intervals.js';
import { type RatioMetric, ratioMetrics } from '../../../contract/metrics.js';
import { roundedValue } from '../ratio-metrics.js';
import { type Interval, studentInterval, wilsonInterval } from './bounds.js';
import { estimateOf, type Sample } from './sample.js';

/** Null: not measured, or on too few days to say. */
export function intervalOf(metric: RatioMetric, sample: Sample): Bounds | null {
  const estimate = estimateOf(metric, sample);
  if (estimate === null) return null;
  switch (ratioMetrics[metric].unit) {
    case 'fraction_0_1':
      return rounded(metric, wilsonInterval(estimate), (share) => share);
    case 'score_0_100':
      return rounded(metric, studentInterval(estimate), (mean) => 100 * mean);
    case 'index_0_100':
      return rounded(metric, studentInterval(estimate), (balance) => 50 + 50 * balance);
  }
}

function rounded(
  metric: RatioMetric,
  interval: Interval | null,
  scale: (ratio: number) => number,
): Bounds | null {
  return interval && (interval.map((bound) => roundedValue(metric, clamped(metric, scale(bound)))) as Bounds);
}

const clamped = (metric: RatioMetric, bound: number): number =>
  Math.max(0, Math.min(ratioMetrics[metric].unit === 'fraction_0_1' ? 1 : 100, bound));
