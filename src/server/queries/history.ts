import type { HistoryMetric } from '../../contract/reads/history.js';
import type { EntitySums } from '../metrics/entity-metrics.js';
import type { WindowBindings } from './bindings.js';
import { statement } from './statement.js';

/** Denominators of some engines by day; days without runs have no row. */
export const windowSumsByDay = statement<{ day: string; runs: number; citations: number }, WindowBindings>(
  'window_sums_by_day',
  `select day, sum(run_count)::bigint as runs, sum(citations)::bigint as citations
   from day_scope where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by day`,
);

/** Sums per entity and day over some engines. */
export const entitySumsByDay = statement<EntitySums & { day: string; entity: number }, WindowBindings>(
  'entity_sums_by_day',
  `select day, entity, sum(present_runs)::bigint as present, sum(position_sum)::bigint as "positionSum",
     sum(weight_sum)::bigint as "weightSum", sum(positive)::bigint as positive, sum(neutral)::bigint as neutral,
     sum(negative)::bigint as negative, sum(citations)::bigint as citations
   from day_entity where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by day, entity`,
);

export interface StoredValue {
  day: string;
  entity: number;
  /** Stored rows behind it, one per engine. */
  rows: number;
  runs: number;
  /** Of a single row, as stored; of several their sum weighted by runs. */
  value: number | null;
}

/**
 * Rows that count: computed ones, and imported ones of an engine and day without runs. A row without runs says
 * nothing was collected.
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

/** Stored statistics of a metric per day and entity; several engines can be pooled for visibility alone. */
export const storedValuesByDay = {
  visibility: storedValuesOf('visibility'),
  share_of_voice_fraction: storedValuesOf('share_of_voice_fraction'),
  citation_share: storedValuesOf('citation_share'),
  sentiment_index: storedValuesOf('sentiment_index'),
} as const satisfies Record<HistoryMetric, unknown>;

/** Runs of stored statistics per day: the maximum of each engine's rows, which are equal for all entities. */
export const storedRunsByDay = statement<{ day: string; runs: number }, WindowBindings>(
  'stored_runs_by_day',
  `select day, sum(runs)::bigint as runs
   from (select day, engine, max(run_count) as runs from (${counting}) counting group by day, engine) engines
   group by day`,
);
