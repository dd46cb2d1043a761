/** The days of a window that have answers, and what the other days have. */
import type { WindowBindings } from './bindings.js';
import { type ChosenBindings, chosenRuns } from './run-choice.js';
import { plannedStatement, statement } from './statement.js';

export interface CollectedDays {
  /** The first day of the window with runs; null: no day has runs. */
  first: string | null;
  last: string | null;
  /** Whether a day before the window has runs. */
  isOlder: boolean;
  /** Whether a day of the window before `first` has stored statistics; without `first`, any day of the window. */
  hasStatistics: boolean;
}

/** Of some engines, from the roll-ups. Always one row. */
export const collectedDays = statement<CollectedDays, WindowBindings>(
  'collected_days',
  `select w.first, w.last,
     exists (
       select 1 from day_scope where brand_key = :brandKey and day < :start and engine = any(:engines)
     ) as "isOlder",
     exists (
       select 1 from daily_stats
       where brand_key = :brandKey and day between :start and :end and day < coalesce(w.first, date 'infinity')
         and engine = any(:engines) and run_count > 0
     ) as "hasStatistics"
   from (
     select min(day) as first, max(day) as last from day_scope
     where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   ) w`,
);

/** A day with chosen runs at one end of the window: days of the engines are tried in order, until one has a run. */
const chosenDay = (order: 'asc' | 'desc', days = ''): string => `(
  select d.day from (select day from collected ${days} order by day ${order} offset 0) d
  cross join lateral (select 1 from ${chosenRuns('d.day', 'd.day')} limit 1) r
  order by d.day ${order} limit 1)`;

/** The first and the last day of a window with chosen runs. Always one row. No day is tried twice. */
export const chosenDays = plannedStatement<Pick<CollectedDays, 'first' | 'last'>, ChosenBindings>(
  'chosen_days',
  `with collected as materialized (
     select distinct day from day_scope
     where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   ),
   earliest as materialized (select ${chosenDay('asc')} as day)
   select earliest.day as first, ${chosenDay('desc', 'where day >= earliest.day')} as last from earliest`,
);
