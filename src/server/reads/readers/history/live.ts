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
import { entitySumsByDay, windowSumsByDay } from '../../../queries/history.js';
import type { TrackedEntity } from '../../../queries/tracked-entities.js';
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
    prior.window && sumsByDay(db, { ...bindings, ...prior.window }),
  ]);
  const series = shown.map((entity) => seriesOf(request.metric, entity, window, current, previous));
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

/** Sums of a window, day by day. */
interface DaySums {
  readonly days: ReadonlyMap<string, WindowSums>;
  readonly entities: ReadonlyMap<string, EntitySums>;
}

const entityKey = (day: string, entity: number): string => `${day} ${entity}`;

async function sumsByDay(
  db: ReadContext['db'],
  bindings: Parameters<typeof windowSumsByDay>[1],
): Promise<DaySums> {
  const [days, rows] = await Promise.all([windowSumsByDay(db, bindings), entitySumsByDay(db, bindings)]);
  const presences = new Map<string, number>();
  for (const { day, present } of rows) presences.set(day, (presences.get(day) ?? 0) + present);
  return {
    days: new Map(days.map((row) => [row.day, { ...row, presences: presences.get(row.day) ?? 0 }])),
    entities: new Map(rows.map((row) => [entityKey(row.day, row.entity), row])),
  };
}

function seriesOf(
  metric: HistoryMetric,
  entity: TrackedEntity,
  window: Window,
  current: DaySums,
  previous: DaySums | null,
): HistorySeries {
  const total = totalOf(current);
  const value = windowValue(metric, entity, current);
  const before = previous && windowValue(metric, entity, previous);
  return {
    id: entity.id,
    name: entity.name,
    is_brand: entity.entity === 0,
    points: everyDayOf(window).map((date) => {
      const day = current.days.get(date) ?? NO_RUNS;
      const sums = current.entities.get(entityKey(date, entity.entity)) ?? NO_SUMS;
      const measured = day.runs === 0 ? null : measure(metric, sums, day, entity.domain !== '');
      return { date, value: roundedValue(metric, measured), sample_size: day.runs };
    }),
    window_value: roundedValue(metric, value),
    window_run_count: total.runs,
    low_confidence: total.runs < LOW_CONFIDENCE_BELOW_RUNS,
    trend: before === null ? null : trendOf(metric, value, before),
  };
}

const trendOf = (metric: HistoryMetric, value: number | null, before: number) => ({
  previous_window_value: roundedValue(metric, before)!,
  delta: deltaOf(metric, value, before),
  delta_unit: historyMetrics[metric].deltaUnit,
});

const totalOf = ({ days }: DaySums): WindowSums => [...days.values()].reduce(addWindowSums, NO_RUNS);

/** From the sums of all days, never from the days' values. */
function windowValue(metric: HistoryMetric, { entity, domain }: TrackedEntity, sums: DaySums): number | null {
  const own = [...sums.days.keys()].map((day) => sums.entities.get(entityKey(day, entity)) ?? NO_SUMS);
  return measure(metric, own.reduce(addEntitySums, NO_SUMS), totalOf(sums), domain !== '');
}
