/** Series of ranges that begin before the live horizon, from the stored daily statistics. */
import { LOW_CONFIDENCE_BELOW_RUNS } from '../../../contract/limits.js';
import {
  type HistoryMetric,
  type HistorySeries,
  historyMetricNames,
} from '../../../contract/reads/history.js';
import { everyDayOf, type Window } from '../../base/days.js';
import { statement, type WindowBindings } from '../../base/statement.js';
import { type DailyStat, dailyStatsOf } from '../daily-stats.js';
import { roundedValue } from '../metrics/values.js';
import { engineDayEntities, engineDays, unwrittenDays } from '../sums/collected-days.js';
import { gapOf, gapsBehind, nameGaps } from '../sums/name-gaps.js';
import type { TrackedEntity } from '../sums/tracked-entities.js';
import type { ReadContext } from './reader.js';

interface StoredValue {
  day: string;
  entity: number;
  /** The number of stored rows, one per engine. */
  rows: number;
  runs: number;
  /** The stored value of a single row; for several rows the sum of each value times its runs, null if one has none. */
  value: number | null;
}

/**
 * The rows that count: computed rows, and imported rows of an engine and day that has no runs here. A row with a run
 * count of 0 means that nothing was collected, so it does not count.
 */
const counting = `
  select d.* from daily_stats d
  where d.brand_key = :brandKey and d.day between :start and :end and d.engine = any(:engines) and d.run_count > 0
    and (not d.imported or not exists (
      select 1 from day_scope s where s.brand_key = :brandKey and s.day = d.day and s.engine = d.engine))`;

const storedValuesOf = (metric: HistoryMetric) =>
  statement<StoredValue, WindowBindings>(
    `stored_${metric}_by_day`,
    `select day, entity, count(*) as rows, sum(run_count)::bigint as runs,
       case when count(*) = 1 then min(${metric})
         when count(*) = count(${metric}) then sum(run_count * ${metric} order by engine) end as value
     from (${counting}) counting
     group by day, entity`,
  );

/** Stored statistics of a metric per day and entity. Only averaged measures may be pooled over several engines. */
const storedValuesByDay = Object.fromEntries(
  historyMetricNames.map((metric) => [metric, storedValuesOf(metric)]),
) as Record<HistoryMetric, ReturnType<typeof storedValuesOf>>;

/** Runs of stored statistics per day. All entities of an engine and day have the same run count, so each engine counts once. */
const storedRunsByDay = statement<{ day: string; runs: number }, WindowBindings>(
  'stored_runs_by_day',
  `select day, sum(runs)::bigint as runs
   from (select day, engine, max(run_count) as runs from (${counting}) counting group by day, engine) engines
   group by day`,
);

interface StoredRequest {
  readonly metric: HistoryMetric;
  readonly engines: readonly string[];
  /** Every tracked entity, the brand first. */
  readonly tracked: readonly TrackedEntity[];
  /** The entities that get a series. */
  readonly shown: readonly TrackedEntity[];
  readonly window: Window;
}

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
  { metric, engines, tracked, shown, window }: StoredRequest,
): Promise<HistorySeries[]> {
  const bindings = { brandKey: brand.key, ...window, engines };
  const [gaps, stored, storedRuns, unwritten] = await Promise.all([
    gapsBehind(db, brand, window.start),
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
    measured_since: gapOf(gaps, entity.entity)?.measuredSince ?? null,
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
    value: known.value === null || more.value === null ? null : weighted(known) + weighted(more),
  };
}

const weighted = ({ rows, runs, value }: DayValue): number => (rows === 1 ? runs * value! : value!);

/** The run-weighted mean over the engines that have a row; null: no engine has a row, or one was not measured. */
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
  const [gaps, sums, entities] = await Promise.all([
    nameGaps(db, { brandKey, start: bindings.start }),
    engineDays(db, { brandKey, days }),
    engineDayEntities(db, { brandKey, days }),
  ]);
  return dailyStatsOf(
    sums.filter(({ engine }) => engines.includes(engine)),
    entities,
    tracked,
    gaps,
  );
}
