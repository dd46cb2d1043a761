/** Sums by day over some engines, from the daily roll-ups. A day without runs has no row. */
import type { EntitySums } from '../metrics/entity-metrics.js';
import type { WindowBindings } from './bindings.js';
import { statement } from './statement.js';

export interface DayTotals {
  readonly day: string;
  readonly runs: number;
  readonly citations: number;
}

/** Runs and citations. */
export const windowSumsByDay = statement<DayTotals, WindowBindings>(
  'window_sums_by_day',
  `select day, sum(run_count)::bigint as runs, sum(citations)::bigint as citations
   from day_scope where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by day`,
);

export interface EntityDay extends EntitySums {
  readonly day: string;
  /** 0 is the brand itself. */
  readonly entity: number;
}

/** Sums of every entity that was seen on the day. */
export const entitySumsByDay = statement<EntityDay, WindowBindings>(
  'entity_sums_by_day',
  `select day, entity, sum(present_runs)::bigint as present, sum(position_sum)::bigint as "positionSum",
     sum(weight_sum)::bigint as "weightSum", sum(positive)::bigint as positive, sum(neutral)::bigint as neutral,
     sum(negative)::bigint as negative, sum(citations)::bigint as citations
   from day_entity where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by day, entity`,
);

const ofBrand = (column: string): string => `coalesce(sum(${column}) filter (where entity = 0), 0)::bigint`;

/** Sums of the brand, and the presences of all entities. */
export const brandSumsByDay = statement<EntityDay & { presences: number }, WindowBindings>(
  'brand_sums_by_day',
  `select day, 0 as entity, sum(present_runs)::bigint as presences, ${ofBrand('present_runs')} as present,
     ${ofBrand('position_sum')} as "positionSum", ${ofBrand('weight_sum')} as "weightSum",
     ${ofBrand('positive')} as positive, ${ofBrand('neutral')} as neutral, ${ofBrand('negative')} as negative,
     ${ofBrand('citations')} as citations
   from day_entity where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by day`,
);
