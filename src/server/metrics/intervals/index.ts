/** Intervals and changes of several metrics, as the fields of the contract. */
import type { Bounds, MetricChange } from '../../../contract/intervals.js';
import { INTERVAL_LEVEL, type IntervalUnit, type MeasureName } from '../../../contract/measures.js';
import { type Comparison, changeOf } from './change.js';
import { intervalOf } from './interval.js';
import type { Sample } from './sample.js';

type Intervals<M extends MeasureName> = { level: number; unit: IntervalUnit } & Record<M, Bounds | null>;
type Changes<M extends MeasureName> = { previous_run_count: number } & Record<M, MetricChange>;

const each = <M extends MeasureName, T>(metrics: readonly M[], of: (metric: M) => T) =>
  Object.fromEntries(metrics.map((metric) => [metric, of(metric)])) as Record<M, T>;

/** The interval of each metric in one window; null where it is not measured, or on too few days. */
export const intervalsOf = <M extends MeasureName>(metrics: readonly M[], sample: Sample): Intervals<M> => ({
  level: INTERVAL_LEVEL,
  unit: sample.unit,
  ...each(metrics, (metric) => intervalOf(metric, sample)),
});

/** The change of each metric between two windows, with its verdict. */
export const changesOf = <M extends MeasureName>(
  metrics: readonly M[],
  comparison: Comparison,
): Changes<M> => ({
  previous_run_count: comparison.previous.totals.runs,
  ...each(metrics, (metric) => changeOf(metric, comparison)),
});
