/** A metric by day: the window of a request, and its series from the sums of runs; those of older days are stored. */
import { blendedEngineIds, type EngineId } from '../../../contract/engines.js';
import { errors } from '../../../contract/errors.js';
import { LOW_CONFIDENCE_BELOW_RUNS } from '../../../contract/limits.js';
import { averagedMeasures, measureValue, needsEveryEntity, scaleOf } from '../../../contract/measures.js';
import { fact, noted } from '../../../contract/notes.js';
import type { Fact } from '../../../contract/read.js';
import {
  type History,
  type HistoryMetric,
  type HistorySeries,
  type HistoryTrend,
  history,
} from '../../../contract/reads/history.js';
import type { ParsedParamsOf } from '../../../contract/registry.js';
import { METRICS_VERSION } from '../../../contract/versions.js';
import { daysIn, everyDayOf, liveSince, type Window, windowBefore, windowEnding } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import { type Comparison, changeOf, type PanelOverlap, type SurfaceRuns } from '../metrics/change.js';
import { intervalOf } from '../metrics/intervals.js';
import { measuredOn, NO_RUNS, NO_SUMS } from '../metrics/samples.js';
import { shownByDay } from '../metrics/shown.js';
import { roundedValue } from '../metrics/values.js';
import { newestDayOf } from '../sums/collected-days.js';
import { modelChangesOf } from '../sums/collection.js';
import { marksOf } from '../sums/marks.js';
import { gapOf, type NameGap } from '../sums/name-gaps.js';
import { askedByDay } from '../sums/outcomes.js';
import type { ChosenRuns } from '../sums/run-choice.js';
import { type TrackedEntity, trackedEntities } from '../sums/tracked-entities.js';
import { type DaySums, gapsIn, measuredIn, sampleIn } from './comparison.js';
import { storedSeries } from './history-stored.js';
import { gapFacts } from './name-notes.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { chosenRunsOf, filtersIn, isRolledUp, selectionOf, sumsSourceOf } from './slice.js';
import { fromTo, measuredDays } from './slice-days.js';

interface HistoryRequest {
  readonly metric: HistoryMetric;
  readonly engines: readonly EngineId[];
  readonly filter: readonly EngineId[] | null;
  /** The custom range; null: a preset. */
  readonly range: Window | null;
  /** Days asked for. */
  readonly days: number;
  readonly source: 'runs' | 'daily_stats';
}

/** A request with the entities it is about and the window it came to. */
interface HistoryWindow {
  readonly params: ParsedParamsOf<'history'>;
  readonly request: HistoryRequest;
  /** Which runs on the engines; null: all of them. */
  readonly runs: ChosenRuns | null;
  /** Every tracked entity, the brand first: shares need them all. */
  readonly tracked: readonly TrackedEntity[];
  /** The entities that get a series. */
  readonly shown: readonly TrackedEntity[];
  readonly window: Window;
}

/** @throws 400 for a metric, or for a choice of runs, that daily statistics do not allow. */
function requestOf(params: ParsedParamsOf<'history'>, today: string): HistoryRequest {
  const { metric, engine: filter = null, from, to } = params;
  const engines = filter ?? blendedEngineIds;
  const range = from === undefined || to === undefined ? null : { start: from, end: to };
  const source = range && range.start < liveSince(today) ? 'daily_stats' : 'runs';
  if (range && source === 'daily_stats' && engines.length > 1 && !averagedMeasures.includes(metric))
    throw refuse(errors.metricNotDerivable(metric, range.start, liveSince(today)));
  const [filterOfRuns] = filtersIn(params);
  if (range && source === 'daily_stats' && filterOfRuns !== undefined)
    throw refuse(errors.filterNeedsLiveDays(filterOfRuns, range.start, liveSince(today)));
  const days = range ? daysIn(range) : (params.days ?? history.params.days.default);
  return { metric, engines, filter, range, days, source };
}

/** The window, or the reason why it is empty. */
type Placed =
  | { readonly window: Window; readonly clamped: boolean }
  | { readonly window: null; readonly newest: string | null };

/** A preset ends on the newest collected day, and begins no earlier than the live horizon. */
async function placeWindow(
  { db, brand, today }: Pick<ReadContext, 'db' | 'brand' | 'today'>,
  { engines, range, days }: HistoryRequest,
): Promise<Placed> {
  const newest = await newestDayOf(db, { brandKey: brand.key, engines });
  if (newest === null) return { window: null, newest };
  if (range) return { window: range, clamped: false };
  const live = liveSince(today);
  if (newest < live) return { window: null, newest };
  const { start, end } = windowEnding(newest, days);
  return start < live
    ? { window: { start: live, end }, clamped: true }
    : { window: { start, end }, clamped: false };
}

// Series from the runs of the live horizon, by way of the daily roll-ups.

/** The prior window, or why no comparison with it is made. */
type Prior = { readonly window: Window } | { readonly window: null; readonly reason: Fact };

/** The prior window, the prompts that it has in common with the current one, and the surfaces of both. */
interface Baseline {
  readonly window: Window;
  readonly panel: PanelOverlap;
  readonly surfaces: readonly SurfaceRuns[];
}

async function liveSeries(
  context: ReadContext,
  { params, request, runs, shown, window }: HistoryWindow,
): Promise<{ series: HistorySeries[]; shown: History['shown']; reasons: (Fact | readonly Fact[] | null)[] }> {
  const prior = priorOf(window, context.today);
  const { engines } = request;
  const first = (prior.window ?? window).start;
  const slice = { engines, runs, window, rolledUp: isRolledUp(engines, runs) };
  const from = await sumsSourceOf(context, slice, first, params);
  const bindings = { brandKey: context.brand.key, engines, ...window };
  const [{ sums, panel, surfaces }, asked] = await Promise.all([
    measuredIn(context, shown.length === 1 ? 'brand' : request.metric, slice, from, {
      window,
      prior: prior.window,
    }),
    askedByDay(context.db, bindings, runs, from),
  ]);
  const baseline = panel && { window: prior.window!, panel, surfaces };
  const dates = everyDayOf(window);
  const days = new Map(sums.days.map((row) => [row.day, row]));
  const pointsOf = (entity: TrackedEntity) =>
    dates.map((date) => {
      const totals = days.get(date) ?? NO_RUNS;
      const all = { totals, entity: sums.entities.get(entity.entity)?.get(date) ?? NO_SUMS };
      const own = measuredOn(date, all, gapOf(sums.gaps, entity.entity));
      const value = measureValue(request.metric, { ...own, hasDomain: entity.domain !== '' });
      return { date, value: roundedValue(request.metric, value), sample_size: totals.runs };
    });
  const series = shown.map((entity) => ({
    id: entity.id,
    name: entity.name,
    is_brand: entity.entity === 0,
    points: pointsOf(entity),
    ...overWindow(request.metric, entity, window, sums, baseline, context.brand.name),
    measured_since: gapOf(sums.gaps, entity.entity)?.measuredSince ?? null,
  }));
  const uncompared = baseline ? series.filter(({ trend }) => trend === null) : [];
  const reason = prior.window === null ? prior.reason : null;
  return {
    series,
    shown: shownByDay(window, dates, asked),
    reasons: [
      reason,
      unmeasured(uncompared, shown.length),
      gapFacts(context, shownGaps(sums.gaps, request.metric, shown)),
    ],
  };
}

/** The gaps that concern the series: those of its entities, and of all entities for a share of all mentions. */
const shownGaps = (
  gaps: readonly NameGap[],
  metric: HistoryMetric,
  shown: readonly TrackedEntity[],
): NameGap[] =>
  gaps.filter((gap) => needsEveryEntity(metric) || shown.some(({ entity }) => entity === gap.entity));

function priorOf(window: Window, today: string): Prior {
  const prior = windowBefore(window);
  if (daysIn(window) === 1) return { window: null, reason: fact('single_day') };
  if (prior.start < liveSince(today))
    return {
      window: null,
      reason: fact('prior_too_old', { start: prior.start, live: liveSince(today) }),
    };
  return { window: prior };
}

function unmeasured(uncompared: readonly HistorySeries[], shown: number): Fact | null {
  if (uncompared.length === 0) return null;
  if (uncompared.length === shown) return fact('no_trend');
  return fact('no_trend_for', { names: uncompared.map(({ name }) => name) });
}

/** The fields of a series about its whole window: from the sums of the window, never from the values of its days. */
function overWindow(
  metric: HistoryMetric,
  entity: TrackedEntity,
  window: Window,
  sums: DaySums,
  baseline: Baseline | null,
  brandName: string,
) {
  const current = sampleIn(window, sums, entity);
  const { runs } = current.totals;
  return {
    window_value: roundedValue(metric, measureValue(metric, current)),
    interval: intervalOf(metric, current),
    window_run_count: runs,
    low_confidence: runs < LOW_CONFIDENCE_BELOW_RUNS,
    trend:
      baseline &&
      trendOf(metric, {
        current,
        previous: sampleIn(baseline.window, sums, entity),
        panel: baseline.panel,
        surfaces: baseline.surfaces,
        ...gapsIn(sums, entity.entity, brandName, { window, prior: baseline.window }),
      }),
  };
}

/** Null: nothing was measured in the window before. */
function trendOf(metric: HistoryMetric, comparison: Comparison): HistoryTrend | null {
  const { previous, delta, ...rest } = changeOf(metric, comparison);
  if (previous === null) return null;
  return { previous_window_value: previous, delta, delta_unit: scaleOf(metric).deltaUnit, ...rest };
}

export const reader: Reader<'history'> = async (context, params) => {
  const request = requestOf(params, context.today);
  const [tracked, placed, runs] = await Promise.all([
    trackedEntities(context.db, { brandKey: context.brand.key }),
    placeWindow(context, request),
    chosenRunsOf(context, params),
  ]);
  const isSliced = filtersIn(params).length > 0;
  const shown = params.competitors ? tracked : tracked.slice(0, 1);
  const [{ series, note, notes, measured, shown: shownRates }, model_changes, marks] = await Promise.all([
    seriesOf(context, placed, { params, request, runs, tracked, shown }, isSliced),
    placed.window ? modelChangesOf(context, request.engines, placed.window) : [],
    placed.window ? marksOf(context.db, { brandKey: context.brand.key, ...placed.window }) : [],
  ]);
  return {
    brand: brandRefOf(context.brand),
    metric: request.metric,
    unit: scaleOf(request.metric).unit,
    window: placed.window
      ? { ...placed.window, days: daysIn(placed.window) }
      : { start: null, end: null, days: request.days },
    ...echoOf(request),
    source: request.source,
    metrics_version: METRICS_VERSION,
    series,
    note,
    notes,
    model_changes,
    slice: isSliced ? selectionOf(params) : null,
    measured,
    shown: shownRates,
    marks: marks.map(({ id, day, text }) => ({ id, day, text })),
  };
};

function echoOf({ filter }: HistoryRequest): Pick<History, 'engine' | 'engines' | 'engine_scope'> {
  if (filter === null) return { engine: null, engines: null, engine_scope: 'blended_search_grounded' };
  const engines = [...filter];
  return engines.length === 1
    ? { engine: engines[0]!, engines, engine_scope: 'single_engine' }
    : { engine: null, engines, engine_scope: 'engine_set' };
}

async function seriesOf(
  context: ReadContext,
  placed: Placed,
  asked: Omit<HistoryWindow, 'window'>,
  isSliced: boolean,
): Promise<Pick<History, 'series' | 'note' | 'notes' | 'measured' | 'shown'>> {
  const { window } = placed;
  const { request, runs, shown } = asked;
  if (window === null) {
    const caveats = noted([emptyFact(placed.newest, context.today)]);
    return { series: shown.map(emptySeries), measured: null, shown: null, ...caveats };
  }
  const of = { ...asked, window };
  const {
    series,
    reasons,
    shown: shownRates,
  } = request.source === 'runs'
    ? await liveSeries(context, of)
    : {
        series: await storedSeries(context, { ...of, ...request }),
        shown: null,
        reasons: [fact('only_day_values')],
      };
  const days = series[0]!.points.filter(({ sample_size }) => sample_size > 0).map(({ date }) => date);
  const { measured, caveat } =
    request.source === 'runs'
      ? await measuredDays(context, { window, engines: request.engines, runs }, days)
      : { measured: fromTo(days), caveat: null };
  return {
    series,
    measured,
    shown: shownRates,
    ...noted([
      placed.clamped && fact('window_cut', { live: window.start, days: daysIn(window), asked: request.days }),
      measured === null &&
        caveat === null &&
        fact(isSliced ? 'nothing_in_slice' : 'nothing_in_scope', window),
      caveat,
      ...reasons,
    ]),
  };
}

const emptySeries = ({ entity, id, name }: TrackedEntity): HistorySeries => ({
  id,
  name,
  is_brand: entity === 0,
  points: [],
  window_value: null,
  interval: null,
  window_run_count: 0,
  low_confidence: true,
  trend: null,
  measured_since: null,
});

const emptyFact = (newest: string | null, today: string): Fact =>
  newest === null ? fact('nothing_ever') : fact('nothing_since', { newest, live: liveSince(today) });
