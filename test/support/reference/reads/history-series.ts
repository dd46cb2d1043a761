import type { Window } from '../days.js';
import { dayOf, daysOf, horizonStart, isWithin, lengthOf, windowBefore } from '../days.js';
import type { Entity } from '../entities.js';
import type { ExpectedBounds } from '../intervals.js';
import { expectedInterval, expectedJudgement, measuredIn } from '../intervals.js';
import { metricValue, rounded } from '../metric-values.js';
import type { RunRecord } from '../records.js';
import type { ExpectedPoint } from './daily-stats.js';
import { dailyStats, pooledPoint } from './daily-stats.js';
import type { Question } from './history-request.js';
import { runsOf } from './history-request.js';
import type { ExpectedTrend } from './trends.js';
import { trendOf } from './trends.js';

export interface ExpectedSeries {
  id: string;
  name: string;
  is_brand: boolean;
  points: ExpectedPoint[];
  window_value: number | null;
  interval: ExpectedBounds;
  window_run_count: number;
  low_confidence: boolean;
  trend: ExpectedTrend | null;
  measured_since: null;
}

/** The series of one entity; without a window, the series without collected runs. */
export function expectedSeries(question: Question, window: Window | null, entity: Entity): ExpectedSeries {
  if (window === null) return { ...seriesOf(entity, [], null, 0), trend: null };
  return question.source === 'runs'
    ? liveSeries(question, window, entity)
    : statsSeries(question, window, entity);
}

function liveSeries(question: Question, window: Window, entity: Entity): ExpectedSeries {
  const { params, tracked, rules } = question;
  const measure = (runs: RunRecord[]) => metricValue(params.metric, runs, entity, tracked, rules);
  const inWindow = (some: Window) =>
    measuredIn({ window: some, runs: runsOf(question, some) }, tracked, rules)(entity);
  const runs = runsOf(question, window);
  const points = daysOf(window).map((date) => {
    const ofDay = runs.filter((run) => dayOf(run.collected_at) === date);
    return { date, value: rounded(params.metric, measure(ofDay)), sample_size: ofDay.length };
  });
  const current = measure(runs);
  const previous = hasBaseline(question, window) ? measure(runsOf(question, windowBefore(window))) : null;
  return {
    ...seriesOf(entity, points, rounded(params.metric, current), runs.length),
    interval: expectedInterval(params.metric, inWindow(window)),
    trend: trendOf(params.metric, current, previous, () =>
      expectedJudgement(params.metric, inWindow(window), inWindow(windowBefore(window))),
    ),
  };
}

/** A window longer than a day whose prior window is completely inside the live horizon. */
function hasBaseline({ today }: Question, window: Window): boolean {
  return lengthOf(window) > 1 && windowBefore(window).start >= horizonStart(today);
}

function statsSeries(question: Question, window: Window, entity: Entity): ExpectedSeries {
  const { params, tracked, rules } = question;
  const imported = question.imported.filter((record) => isWithin(window, record.date));
  const stats = dailyStats(params.metric, runsOf(question, window), imported, tracked, rules);
  const points = daysOf(window).map((date) => pooledPoint(params.metric, date, entity, stats));
  const sampled = points.reduce((sum, point) => sum + point.sample_size, 0);
  return { ...seriesOf(entity, points, null, sampled), trend: null };
}

function seriesOf(entity: Entity, points: ExpectedPoint[], value: number | null, runCount: number) {
  return {
    id: entity.id,
    name: entity.name,
    is_brand: entity.is_brand,
    points,
    window_value: value,
    interval: null,
    window_run_count: runCount,
    low_confidence: runCount < 5,
    measured_since: null,
  };
}
