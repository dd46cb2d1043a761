/** The interval of a metric over one window, on the scale of the metric and rounded as the metric. */
import type { Bounds } from '../../../contract/intervals.js';
import { type MeasureName, scaleOf } from '../../../contract/measures.js';
import { roundedValue } from '../ratio-metrics.js';
import { type Interval, studentInterval, wilsonInterval } from './bounds.js';
import { estimateOf, lowestRatio, type Sample } from './sample.js';

/**
 * Null: not measured, or on too few days to say. At an end of its scale every metric has the interval of a share, because no
 * variance is measured there.
 */
export function intervalOf(metric: MeasureName, sample: Sample): Bounds | null {
  const estimate = estimateOf(metric, sample);
  if (estimate === null) return null;
  const lowest = lowestRatio[metric];
  const share = (estimate.ratio - lowest) / (1 - lowest);
  const { unit } = scaleOf(metric);
  if (unit === 'fraction_0_1') return rounded(metric, wilsonInterval(estimate), (bound) => bound);
  return share === 0 || share === 1
    ? rounded(metric, wilsonInterval({ ...estimate, ratio: share }), (bound) => 100 * bound)
    : rounded(metric, studentInterval(estimate), (ratio) =>
        unit === 'score_0_100' ? 100 * ratio : 50 + 50 * ratio,
      );
}

function rounded(
  metric: MeasureName,
  interval: Interval | null,
  scale: (ratio: number) => number,
): Bounds | null {
  return interval && (interval.map((bound) => roundedValue(metric, clamped(metric, scale(bound)))) as Bounds);
}

const clamped = (metric: MeasureName, bound: number): number =>
  Math.max(0, Math.min(scaleOf(metric).unit === 'fraction_0_1' ? 1 : 100, bound));
