/** Series from the runs of the live horizon, by way of the daily roll-ups. */

import { LOW_CONFIDENCE_BELOW_RUNS } from '../../../../contract/limits.js';
import {
  type HistoryMetric,
  type HistorySeries,
  historyMetrics,
} from '../../../../contract/reads/history.js';
import { daysIn, everyDayOf, liveSince, type Window, windowBefore } from '../../../days.js';
import { type EntitySums, NO_SUMS, type WindowSums } from '../../../metrics/entity-metrics.js';
import {
  addEntitySums,
  addWindowSums,
  deltaOf,
  measure,
  NO_RUNS,
  roundedValue,
} from '../../../metrics/history.js';
import type { WindowBindings } from '../../../queries/bindings.js';
import { entitySums } from '../../../queries/entity-sums.js';
import { entitySumsByDay, windowSumsByDay } from '../../../queries/history.js';
import type { TrackedEntity } from '../../../queries/tracked-entities.js';
import { windowSums } from '../../../queries/window-sums.js';
import type { ReadContext } from '../../reader.js';
import type { HistoryWindow } from './request.js';

/** The prior window, and why its comparison is not made. */
interface Prior {
  readonly window: Window | null;
  readonly reason: string | null;
}

export async function liveSeries(
  { db, brand, today }: ReadContext,
  { request, shown, window }: HistoryWindow,
): Promise<{ series: HistorySeries[]; reasons: (string | null)[] }> {
  const prior = priorOf(window, today);
  const bindings = { brandKey: brand.key, engines: request.engines };
  const [current, previous] = await Promise.all([
    sumsByDay(db, { ...bindings, ...window }),
    prior.window && totalsOf(db, { ...bindings, ...prior.window }),
  ]);
  const dates = everyDayOf(window);
  const series = shown.map((entity) => seriesOf(request.metric, entity, dates, current, previous));
  const uncompared = previous ? series.filter(({ trend }) => trend === null) : [];
  return { series, reasons: [prior.reason, unmeasured(uncompared, shown.length)] };
}

function priorOf(window: Window, today: string): Prior {
  const prior = windowBefore(window);
  if (daysIn(window) === 1) return { window: null, reason: 'A single day has no trend.' };
  if (prior.start < liveSince(today))
    return {
      window: null,
      reason: `No trend: the window before would begin on ${prior.start}, before the live run horizon (${liveSince(today)}).`,
    };
  return { window: prior, reason: null };
}

function unmeasured(uncompared: readonly HistorySeries[], shown: number): string | null {
  if (uncompared.length === 0) return null;
  const whose = uncompared.length === shown ? '' : ` for ${uncompared.map(({ name }) => name).join(', ')}`;
  return `No trend${whose}: nothing was measured in the window before.`;
}

/** Sums over a window. */
interface Totals {
  readonly window: WindowSums;
  readonly entities: ReadonlyMap<number, EntitySums>;
}

async function totalsOf(db: ReadContext['db'], bindings: WindowBindings): Promise<Totals> {
  const [[window], rows] = await Promise.all([windowSums(db, bindings), entitySums(db, bindings)]);
  return { window: window!, entities: new Map(rows.map((row) => [row.entity, row])) };
}

/** Sums of a window, day by day. */
interface DaySums {
  readonly days: ReadonlyMap<string, WindowSums>;
  readonly entities: ReadonlyMap<string, EntitySums>;
  readonly totals: Totals;
}

const entityKey = (day: string, entity: number): string => `${day} ${entity}`;

async function sumsByDay(db: ReadContext['db'], bindings: WindowBindings): Promise<DaySums> {
  const [days, rows] = await Promise.all([windowSumsByDay(db, bindings), entitySumsByDay(db, bindings)]);
  const presences = new Map<string, number>();
  const entities = new Map<number, EntitySums>();
  for (const row of rows) {
    presences.set(row.day, (presences.get(row.day) ?? 0) + row.present);
    entities.set(row.entity, addEntitySums(entities.get(row.entity) ?? NO_SUMS, row));
  }
  const daySums = days.map((row) => ({ ...row, presences: presences.get(row.day) ?? 0 }));
  return {
    days: new Map(daySums.map((row) => [row.day, row])),
    entities: new Map(rows.map((row) => [entityKey(row.day, row.entity), row])),
    totals: { window: daySums.reduce(addWindowSums, NO_RUNS), entities },
  };
}

function seriesOf(
  metric: HistoryMetric,
  entity: TrackedEntity,
  dates: readonly string[],
  { days, entities, totals }: DaySums,
  previous: Totals | null,
): HistorySeries {
  const value = windowValue(metric, entity, totals);
  const before = previous && windowValue(metric, entity, previous);
  return {
    id: entity.id,
    name: entity.name,
    is_brand: entity.entity === 0,
    points: dates.map((date) => {
      const day = days.get(date) ?? NO_RUNS;
      const sums = entities.get(entityKey(date, entity.entity)) ?? NO_SUMS;
      const measured = day.runs === 0 ? null : measure(metric, sums, day, entity.domain !== '');
      return { date, value: roundedValue(metric, measured), sample_size: day.runs };
    }),
    window_value: roundedValue(metric, value),
    window_run_count: totals.window.runs,
    low_confidence: totals.window.runs < LOW_CONFIDENCE_BELOW_RUNS,
    trend: before === null ? null : trendOf(metric, value, before),
  };
}

const trendOf = (metric: HistoryMetric, value: number | null, before: number) => ({
  previous_window_value: roundedValue(metric, before)!,
  delta: deltaOf(metric, value, before),
  delta_unit: historyMetrics[metric].deltaUnit,
});

/** From the sums of the window, never from the values of its days. */
const windowValue = (
  metric: HistoryMetric,
  { entity, domain }: TrackedEntity,
  totals: Totals,
): number | null => measure(metric, totals.entities.get(entity) ?? NO_SUMS, totals.window, domain !== '');
