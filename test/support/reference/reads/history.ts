import type { Window } from '../days.js';
import { lengthOf } from '../days.js';
import type { ExpectedMeasured } from '../measured.js';
import { beginsWithin, expectedMeasured } from '../measured.js';
import type { Unit } from '../metric-values.js';
import { SCALES } from '../metric-values.js';
import type { ExpectedModelChange } from '../model-changes.js';
import { expectedModelChanges } from '../model-changes.js';
import type { Open } from '../open.js';
import { OPEN, WORDS } from '../open.js';
import type { HistoryParams, Metric } from '../parameters.js';
import { daysAsked } from '../parameters.js';
import type { DatasetRecord } from '../records.js';
import { recordsOfBrand } from '../records.js';
import type { BrandReference, Scope } from '../scope.js';
import { findBrand, referenceTo } from '../scope.js';
import type { ExpectedShownDays } from '../shown.js';
import { expectedShownDays } from '../shown.js';
import type { ExpectedSlice } from '../slices.js';
import { choosesRuns, expectedSlice } from '../slices.js';
import type { UrlRules } from '../url-rules/url-rules.js';
import type { Question } from './history-request.js';
import { HISTORY_DAYS, questionOf, runsOf, unshownOf, windowOf } from './history-request.js';
import type { ExpectedSeries } from './history-series.js';
import { expectedSeries } from './history-series.js';

/** Stands for a 400 response. */
export const BAD_REQUEST = 400;
const METRICS_VERSION = 1;

export interface ExpectedHistory {
  brand: BrandReference;
  metric: Metric;
  unit: Unit;
  window: { start: string | null; end: string | null; days: number };
  engine: string | null;
  engines: string[] | null;
  engine_scope: 'blended_search_grounded' | 'single_engine' | 'engine_set';
  source: 'runs' | 'daily_stats';
  metrics_version: number;
  series: ExpectedSeries[];
  note: string | Open | null;
  model_changes: ExpectedModelChange[];
  shown: ExpectedShownDays | null;
  slice: ExpectedSlice | null;
  measured: ExpectedMeasured;
  marks: never[];
}

/**
 * The body of metrics/history; null = 404, BAD_REQUEST where daily statistics cannot give the metric or the slice.
 */
export function expectedHistory(
  records: DatasetRecord[],
  scope: Scope,
  params: HistoryParams,
  rules: UrlRules,
): ExpectedHistory | typeof BAD_REQUEST | null {
  const brand = findBrand(records, scope);
  if (brand === null) return null;
  const question = questionOf(records, brand, scope.today, params, rules);
  const { filter, source, tracked } = question;
  const single = filter.engines?.length === 1;
  const isSliced = choosesRuns(params);
  const isMean = params.metric === 'visibility' || params.metric === 'presence_rate';
  if (source === 'daily_stats' && (isSliced || (!isMean && !single))) return BAD_REQUEST;
  const window = windowOf(question);
  const shown = tracked.filter((entity) => entity.is_brand || params.competitors === true);
  const series = shown.map((entity) => expectedSeries(question, window, entity));
  return {
    brand: referenceTo(brand),
    metric: params.metric,
    unit: SCALES[params.metric].unit,
    window: {
      start: window?.start ?? null,
      end: window?.end ?? null,
      days: window === null ? daysAsked(params, HISTORY_DAYS) : lengthOf(window),
    },
    engine: single ? filter.engines![0]! : null,
    engines: filter.engines,
    engine_scope:
      filter.engines === null ? 'blended_search_grounded' : single ? 'single_engine' : 'engine_set',
    source,
    metrics_version: METRICS_VERSION,
    series,
    note: noteOn(window, series, question),
    marks: [],
    model_changes: expectedModelChanges(recordsOfBrand(records, 'run', brand.id), filter.counts, window),
    shown:
      window === null || source === 'daily_stats'
        ? null
        : expectedShownDays({ window, runs: runsOf(question, window), unshown: unshownOf(question, window) }),
    slice: isSliced ? expectedSlice(params) : null,
    measured: expectedMeasured(
      series[0]!.points.filter(({ sample_size }) => sample_size > 0).map(({ date }) => date),
    ),
  };
}

/** Each null trend has its reason in the note; whether an empty range with a baseline needs one is nowhere said. */
function noteOn(
  window: Window | null,
  series: ExpectedSeries[],
  { source, scoped }: Question,
): string | Open | null {
  if (window === null || series.some((each) => each.trend === null)) return WORDS;
  if (series[0]!.window_run_count === 0) return OPEN;
  return source === 'runs' && beginsWithin(window, scoped) ? WORDS : null;
}
