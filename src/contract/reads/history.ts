import { AS_METRIC } from '../definition.js';
import { engineIds } from '../engines.js';
import { SEARCH_ENGINES } from '../glossary.js';
import {
  changeDifference,
  delta,
  previousValue,
  verdict,
  verdictReason,
  windowInterval,
} from '../intervals.js';
import { LIVE_HORIZON_DAYS } from '../limits.js';
import { type MeasureName, measureNames } from '../measures.js';
import { modelChanges } from '../model-changes.js';
import { brand, customRange, engineFilter, type Param, presetDays } from '../params.js';
import {
  brandRef,
  caveats,
  defineRead,
  lowConfidence,
  measuredSince,
  runCount,
  windowBounds,
} from '../read.js';
import {
  count,
  deprecated,
  flag,
  headed,
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  text,
} from '../schema.js';
import { measuredDays, runFilters, slice } from '../slice.js';
import { shownByDay } from '../surfaces.js';

/** The metrics that have a history: all. The list is one of its own, because the SDK has a type of its name. */
export type HistoryMetric = MeasureName;
export const historyMetricNames = [...measureNames];

const metric = {
  kind: 'choice',
  values: historyMetricNames,
  required: true,
  description: `The metric: ${historyMetricNames.join(', ')}`,
  brief: 'The metric',
} as const satisfies Param;

export const historyPoint = part('A metric on a day', {
  date: text('UTC day, YYYY-MM-DD'),
  value: nullable(
    number('0 to 100 rounded to 0.1, fractions to 0.001; null: not collected or not measurable', {
      what: 'The metric that the request names, on one UTC day.',
      formula: 'the formula of the metric, over the runs of the day',
      denominator: AS_METRIC,
      unit: 'that of the metric: the field unit',
      scale: AS_METRIC,
      rounding: '0.1; shares 0.001',
      empty: 'null: nothing was collected (sample_size 0), or the denominator is 0 (sample_size above 0)',
    }),
  ),
  sample_size: count('Runs of the day; 0: nothing collected', runCount),
});

export const historyTrend = object(
  {
    previous_window_value: number('The metric over the window of equal length just before', previousValue),
    delta: nullable(number('Change from it, in delta_unit; null: undefined', delta)),
    delta_unit: oneOf(['relative_pct', 'fraction_points', 'index_points'], 'Unit of delta'),
    difference: changeDifference,
    verdict,
    ...verdictReason,
  },
  'Against the window of equal length just before; null: not comparable, and note says why',
);

export const historySeries = part('A metric of one entity, day by day', {
  id: text('Entity id'),
  name: text('Entity name'),
  is_brand: flag('The brand itself'),
  points: list(historyPoint, 'One per calendar day'),
  window_value: nullable(
    number('The metric over the whole window, from its runs; null on daily_stats', {
      what: 'The metric that the request names, over the whole window.',
      formula: 'the formula of the metric, over the runs of the window; never from daily values',
      denominator: AS_METRIC,
      unit: 'that of the metric: the field unit',
      interval: 'the field interval of the same object',
      scale: AS_METRIC,
      rounding: '0.1; shares 0.001',
      empty: 'null: not measured, or on daily_stats, which have no denominators',
    }),
  ),
  interval: windowInterval,
  window_run_count: headed('answers', count('Runs behind it', runCount)),
  low_confidence: lowConfidence,
  trend: nullable(historyTrend),
  measured_since: measuredSince,
});

export const historyMark = part('What was done on a day of the window', {
  id: text('Mark id'),
  day: text('The day, YYYY-MM-DD'),
  text: text('What was done'),
});

export const history = defineRead({
  path: 'metrics/history',
  tool: 'get_metrics_history',
  group: 'history',
  mainRows: { at: ['series', 'points'], with: ['id', 'name', 'is_brand'] },
  summary: 'One metric day by day, for the brand and its competitors',
  sdkNote: '`pointState` explains a point without a value.',
  guide:
    'How did a metric develop, day by day? value null with sample_size 0: nothing collected; with runs: not measurable; neither is 0. Only trend.verdict up and down are changes; trend null: note says why. source daily_stats has no window_value.',
  needsRuns: false,
  params: {
    brand,
    metric,
    days: presetDays(28, 'the newest collected day'),
    ...customRange,
    engine: engineFilter(SEARCH_ENGINES),
    competitors: {
      kind: 'boolean',
      description: 'true: a series for every tracked competitor too',
      flag: 'A series for every tracked competitor too',
    },
    ...runFilters,
  },
  response: object({
    brand: brandRef,
    metric: oneOf(historyMetricNames, 'The metric asked for'),
    unit: oneOf(['score_0_100', 'fraction_0_1', 'index_0_100'], 'Its scale'),
    window: windowBounds('null: nothing was ever collected in scope'),
    engine: deprecated(
      nullable(
        oneOfOrNewer(engineIds, 'Frozen: the engine when exactly one is filtered; null: none or several are'),
      ),
      'engines',
    ),
    engines: nullable(list(oneOfOrNewer(engineIds, 'Engine id'), 'The engine filter; null: unfiltered')),
    engine_scope: oneOf(['blended_search_grounded', 'single_engine', 'engine_set'], 'What the filter makes'),
    source: oneOf(
      ['runs', 'daily_stats'],
      `runs: live over the last ${LIVE_HORIZON_DAYS} days; daily_stats: nightly statistics for older ranges`,
    ),
    metrics_version: count('Version of the formulas', {
      group: 'sample',
      what: 'The version of these formulas.',
      formula:
        'raised by any change to how a metric is computed; intervals and verdicts change with the version of the API',
      unit: 'version',
      empty: 'never null',
    }),
    series: list(historySeries, 'The brand, then competitors by name when asked for'),
    ...caveats,
    model_changes: modelChanges,
    slice: nullable(slice),
    measured: measuredDays,
    shown: shownByDay,
    marks: list(
      historyMark,
      'Marks of the days of the window, the newest first; none of them is a cause by itself',
    ),
  }),
});

export type History = Infer<typeof history.response>;
export type HistorySeries = Infer<typeof historySeries>;
export type HistoryTrend = Infer<typeof historyTrend>;
