import { statement, type WindowBindings } from '../statement.js';

/** The day from which all runs of a brand are stored; null: none was ever pruned. */
export const runsSince = statement<{ day: string | null }, { brandKey: number }>(
  'runs_since',
  'select runs_since as day from brands where brand_key = :brandKey',
);

/** Whether runs of some engines were pruned from a window: days keep their number of runs. */
export const hasPrunedRuns = statement<{ pruned: boolean }, WindowBindings & { since: string }>(
  'has_pruned_runs',
  `select exists (
     select 1 from day_scope d
     where d.brand_key = :brandKey and d.day between :start and :end and d.day < cast(:since as date)
       and d.engine = any(:engines)
       and d.run_count > (
         select count(*) from runs r where r.brand_key = :brandKey and r.day = d.day and r.engine = d.engine)
   ) as pruned`,
);
