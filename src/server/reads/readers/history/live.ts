/** Series from the runs of the live horizon, by way of the daily roll-ups. */

import { LOW_CONFIDENCE_BELOW_RUNS } from '../../../../contract/limits.js';
import {
  type HistoryMetric,
  type HistorySeries,
  type HistoryTrend,
  historyMetrics,
} from '../../../../contract/reads/history.js';
import { daysIn, everyDayOf, liveSince, type Window, windowBefore } from '../../../days.js';
import { NO_SUMS } from '../../../metrics/entity-metrics.js';
import { type Comparison, judge, type PanelOverlap } from '../../../metrics/intervals/change.js';
import { intervalOf } from '../../../metrics/intervals/interval.js';
import type { Sample } from '../../../metrics/intervals/sample.js';
import { deltaOf, differenceOf, measure, roundedValue } from '../../../metrics/ratio-metrics.js';
import { NO_RUNS } from '../../../metrics/sums.js';
import type { TrackedEntity } from '../../../queries/tracked-entities.js';
import type { ReadContext } from '../../reader.js';
import { type DaySums, measuredIn, sampleIn } from '../comparison.js';
import type { HistoryWindow } from './request.js';

/** The prior window, or why no comparison with it is made. */
type Prior = { readonly window: Window } | { readonly window: null; readonly reason: string };

/** The prior window and the prompts that it has in common with the current one. */
interface Baseline {
  readonly window: Window;
  readonly panel: PanelOverlap;
}

export async function liveSeries(
  context: ReadContext,
  { request, runs, shown, window }: HistoryWindow,
): Promise<{ series: HistorySeries[]; reasons: (string | null)[] }> {
  const prior = priorOf(window, context.today);
  const engineRuns = { engines: request.engines, runs };
  const { sums, panel } = await measuredIn(
    context,
    shown.length === 1 ? 'brand' : 'every entity',
    engineRuns,
    {
      window,
      prior: prior.window,
    },
  );
  const baseline = panel && { window: prior.window!, panel };
  const dates = everyDayOf(window);
  const days = new Map(sums.days.map((row) => [row.day, row]));
  const pointsOf = (entity: TrackedEntity) =>
    dates.map((date) => {
      const day = days.get(date) ?? NO_RUNS;
      const entitySums = sums.entities.get(entity.entity)?.get(date) ?? NO_SUMS;
      const measured = day.runs === 0 ? null : measure(request.metric, entitySums, day, entity.domain !== '');
      return { date, value: roundedValue(request.metric, measured), sample_size: day.runs };
    });
  const series = shown.map((entity) => ({
    id: entity.id,
    name: entity.name,
    is_brand: entity.entity === 0,
    points: pointsOf(entity),
    ...overWindow(request.metric, entity, window, sums, baseline),
  }));
  const uncompared = baseline ? series.filter(({ trend }) => trend === null) : [];
  const reason = prior.window === null ? prior.reason : null;
  return { series, reasons: [reason, unmeasured(uncompared, shown.length)] };
}

function priorOf(window: Window, today: string): Prior {
  const prior = windowBefore(window);
  if (daysIn(window) === 1) return { window: null, reason: 'A single day has no trend.' };
  if (prior.start < liveSince(today))
    return {
      window: null,
      reason: `No trend: the window before would begin on ${prior.start}, before the live run horizon (${liveSince(today)}).`,
    };
  return { window: prior };
}

function unmeasured(uncompared: readonly HistorySeries[], shown: number): string | null {
  if (uncompared.length === 0) return null;
  const whose = uncompared.length === shown ? '' : ` for ${uncompared.map(({ name }) => name).join(', ')}`;
  return `No trend${whose}: the metric was not measured in the window before.`;
}

/** The fields of a series about its whole window: from the sums of the window, never from the values of its days. */
function overWindow(
  metric: HistoryMetric,
  entity: TrackedEntity,
  window: Window,
  sums: DaySums,
  baseline: Baseline | null,
) {
  const current = sampleIn(window, sums, entity);
  const { runs } = current.totals;
  return {
    window_value: roundedValue(metric, windowValue(metric, current)),
    interval: intervalOf(metric, current),
    window_run_count: runs,
    low_confidence: runs < LOW_CONFIDENCE_BELOW_RUNS,
    trend:
      baseline &&
      trendOf(metric, {
        current,
        previous: sampleIn(baseline.window, sums, entity),
        panel: baseline.panel,
      }),
  };
}

/** Null: nothing was measured in the window before. */
function trendOf(metric: HistoryMetric, comparison: Comparison): HistoryTrend | null {
  const before = windowValue(metric, comparison.previous);
  if (before === null) return null;
  const now = windowValue(metric, comparison.current);
  return {
    previous_window_value: roundedValue(metric, before),
    delta: deltaOf(metric, now, before),
    delta_unit: historyMetrics[metric].deltaUnit,
    difference: differenceOf(metric, now, before),
    ...judge(metric, comparison),
  };
}

const windowValue = (metric: HistoryMetric, { entity, totals, hasDomain }: Sample): number | null =>
  measure(metric, entity, totals, hasDomain);
