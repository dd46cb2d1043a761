/** Series of ranges that begin before the live horizon, from the stored daily statistics. */

import { LOW_CONFIDENCE_BELOW_RUNS } from '../../../../contract/limits.js';
import type { HistorySeries } from '../../../../contract/reads/history.js';
import { type DailyStat, dailyStatsOf } from '../../../daily-stats/rows.js';
import { everyDayOf } from '../../../days.js';
import { roundedValue } from '../../../metrics/ratio-metrics.js';
import { engineDayEntities, engineDays, unwrittenDays } from '../../../queries/engine-days.js';
import { storedRunsByDay, storedValuesByDay } from '../../../queries/history.js';
import type { TrackedEntity } from '../../../queries/tracked-entities.js';
import type { ReadContext } from '../../reader.js';
import type { HistoryWindow } from './request.js';

export const STORED_LIMITS =
  'Served from nightly statistics per day: no window value and no trend can be derived from them.';

/** What one entity has on one day: how many engines, over how many runs. */
interface DayValue {
  readonly rows: number;
  readonly runs: number;
  /** Of one engine, its value; of several, their sum weighted by runs. */
  readonly value: number | null;
}

const dayKey = (day: string, entity: number): string => `${day} ${entity}`;

/** A series per shown entity, with a point for each day of the window. */
export async function storedSeries(
  { db, brand }: ReadContext,
  { request, tracked, shown, window }: HistoryWindow,
): Promise<HistorySeries[]> {
  const { metric, engines } = request;
  const bindings = { brandKey: brand.key, ...window, engines };
  const [stored, storedRuns, unwritten] = await Promise.all([
    storedValuesByDay[metric](db, bindings),
    storedRunsByDay(db, bindings),
    unwrittenStats(db, bindings, tracked),
  ]);
  const values = new Map<string, DayValue>(stored.map((row) => [dayKey(row.day, row.entity), row]));
  const runs = new Map(storedRuns.map((row) => [row.day, row.runs]));
  for (const stat of unwritten) {
    const key = dayKey(stat.day, stat.entity);
    values.set(key, pooled(values.get(key), { rows: 1, runs: stat.run_count, value: stat[metric] }));
    if (stat.entity === 0) runs.set(stat.day, (runs.get(stat.day) ?? 0) + stat.run_count);
  }
  return shown.map((entity) => ({
    id: entity.id,
    name: entity.name,
    is_brand: entity.entity === 0,
    points: everyDayOf(window).map((date) => ({
      date,
      value: roundedValue(metric, meanOf(values.get(dayKey(date, entity.entity)))),
      sample_size: runs.get(date) ?? 0,
    })),
    ...withoutWindow(runs),
  }));
}

/** A window value needs sums that daily statistics do not hold. */
function withoutWindow(runs: ReadonlyMap<string, number>) {
  const window_run_count = [...runs.values()].reduce((sum, each) => sum + each, 0);
  return {
    window_value: null,
    interval: null,
    window_run_count,
    low_confidence: window_run_count < LOW_CONFIDENCE_BELOW_RUNS,
    trend: null,
  };
}

function pooled(known: DayValue | undefined, more: DayValue): DayValue {
  if (!known) return more;
  return {
    rows: known.rows + more.rows,
    runs: known.runs + more.runs,
    value: weighted(known) + weighted(more),
  };
}

const weighted = ({ rows, runs, value }: DayValue): number =>
  rows === 1 ? runs * (value ?? 0) : (value ?? 0);

/** The run-weighted mean over the engines that have a row; null: no engine has a row, or none was measured. */
function meanOf(day: DayValue | undefined): number | null {
  if (!day || day.value === null) return null;
  return day.rows === 1 ? day.value : day.value / day.runs;
}

/** Statistics of days that no night has written yet, from the runs by the same rules. */
async function unwrittenStats(
  db: ReadContext['db'],
  bindings: Parameters<typeof unwrittenDays>[1],
  tracked: readonly TrackedEntity[],
): Promise<DailyStat[]> {
  const { brandKey, engines } = bindings;
  const days = (await unwrittenDays(db, bindings)).map(({ day }) => day);
  if (days.length === 0) return [];
  const [sums, entities] = await Promise.all([
    engineDays(db, { brandKey, days }),
    engineDayEntities(db, { brandKey, days }),
  ]);
  return dailyStatsOf(
    sums.filter(({ engine }) => engines.includes(engine)),
    entities,
    tracked,
  );
}
