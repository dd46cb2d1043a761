/** Two slices of a brand side by side, each with its own intervals and without a verdict on their difference. */

import { windowInterval } from '../../../contract/intervals.js';
import { entityMetrics } from '../../../contract/metrics.js';
import { brandRef } from '../../../contract/read.js';
import { historyMetricNames, historySeries } from '../../../contract/reads/history.js';
import { type Overview, overview } from '../../../contract/reads/overview.js';
import { type Infer, list, nullable, number, object, oneOf } from '../../../contract/schema.js';
import type { CallOptions } from '../../../sdk/call-options.js';
import type { SvcClient } from '../../../sdk/client.js';
import type { SliceParams } from './other-slice.js';

const { window, slice, measured: days, run_count, low_confidence, note } = overview.response.fields;

const side = object({ window, slice, measured: days, run_count, low_confidence, note });
export const comparedMetric = object({
  metric: oneOf(historyMetricNames, 'The metric'),
  a: historySeries.fields.window_value,
  a_interval: windowInterval,
  b: historySeries.fields.window_value,
  b_interval: windowInterval,
  difference: nullable(number('a − b in the unit of the metric, rounded as it; null: not measured')),
});
export const comparison = object({
  brand: brandRef,
  a: side,
  b: side,
  metrics: list(comparedMetric, 'In the order of the scorecard'),
});
export type ComparedMetric = Infer<typeof comparedMetric>;
export type Comparison = Infer<typeof comparison>;
export type Side = Infer<typeof side>;

/** Reads the scorecards of two slices: two requests. */
export async function readComparison(
  svc: SvcClient,
  slices: readonly [SliceParams, SliceParams],
  options: CallOptions,
): Promise<Comparison> {
  const [a, b] = await Promise.all(slices.map((each) => svc.overview(each as object, options)));
  return comparisonOf(a as Overview, b as Overview);
}

/** Two scorecards side by side; a difference is null if a side was not measured. */
export const comparisonOf = (a: Overview, b: Overview): Comparison => ({
  brand: a.brand,
  a: sideOf(a),
  b: sideOf(b),
  metrics: historyMetricNames.map((metric) => ({
    metric,
    a: measured(a, metric),
    a_interval: a.intervals[metric],
    b: measured(b, metric),
    b_interval: b.intervals[metric],
    difference: differenceOf(metric, measured(a, metric), measured(b, metric)),
  })),
});

const sideOf = ({ window, slice, measured, run_count, low_confidence, note }: Overview): Side => ({
  window,
  slice,
  measured,
  run_count,
  low_confidence,
  note,
});

type Metric = ComparedMetric['metric'];

/** A plain scorecard without runs has zeros that mean not measured. */
const measured = (scorecard: Overview, metric: Metric): number | null =>
  scorecard.run_count === 0 ? null : scorecard[metric];

function differenceOf(metric: Metric, a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  return Number((a - b).toFixed(entityMetrics[metric].unit === 'fraction_0_1' ? 3 : 1));
}
