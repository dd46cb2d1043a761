import type { HistoryMetric } from '../../contract/reads/history.js';
import type { WindowBindings } from './bindings.js';
import { statement } from './statement.js';

export interface StoredValue {
  day: string;
  entity: number;
  /** The number of stored rows, one per engine. */
  rows: number;
  runs: number;
  /** The stored value of a single row; for several rows the sum of each value times its runs. */
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
       case when count(*) = 1 then min(${metric}) else sum(run_count * ${metric} order by engine) end as value
     from (${counting}) counting
     group by day, entity`,
  );

/** Stored statistics of a metric per day and entity. Only visibility may be pooled over several engines. */
export const storedValuesByDay = {
  visibility: storedValuesOf('visibility'),
  share_of_voice_fraction: storedValuesOf('share_of_voice_fraction'),
  citation_share: storedValuesOf('citation_share'),
  sentiment_index: storedValuesOf('sentiment_index'),
} as const satisfies Record<HistoryMetric, unknown>;

/** Runs of stored statistics per day. All entities of an engine and day have the same run count, so each engine counts once. */
export const storedRunsByDay = statement<{ day: string; runs: number }, WindowBindings>(
  'stored_runs_by_day',
  `select day, sum(runs)::bigint as runs
   from (select day, engine, max(run_count) as runs from (${counting}) counting group by day, engine) engines
   group by day`,
);
