import { statement } from '../statement.js';

/** Notes that runs from before a day are pruned. The day never moves back. */
export const moveRunsSince = statement<never, { brandKey: number; day: string }>(
  'move_runs_since',
  `update brands set runs_since = greatest(runs_since, cast(:day as date)) where brand_key = :brandKey`,
);

interface Prunable extends Record<string, unknown> {
  brandKey: number;
  /** Runs of earlier days may be pruned. */
  before: string;
  /** Days of the longest window of a read that ends on an engine's newest day. */
  window: number;
}

/**
 * The runs that no read needs. A read of quotes ends on the newest day of its engines, so an engine's last days are kept
 * however old they are; a fact check compares an engine's newest answer of any age.
 */
const prunable = `with newest as materialized (
     select engine, max(day) as day from day_scope where brand_key = :brandKey group by engine
   ),
   compared as materialized (
     select (array_agg(run_id order by day desc))[1] as run_id from day_newest_answer
     where brand_key = :brandKey group by engine
   ),
   prunable as (
     select r.id, r.day from runs r join newest n on n.engine = r.engine
     where r.brand_key = :brandKey and r.day < cast(:before as date)
       and r.day <= n.day - cast(:window as integer)
       and not exists (select 1 from compared c where c.run_id = r.id)
   )`;

/** The days with prunable runs, oldest first. */
export const prunableDays = statement<{ day: string; runs: number }, Prunable>(
  'prunable_days',
  `${prunable} select day, count(*) as runs from prunable group by day order by day`,
);

/** Some prunable runs of a day. */
export const prunableRuns = statement<{ id: string }, Prunable & { day: string; rows: number }>(
  'prunable_runs',
  `${prunable} select id from prunable where day = cast(:day as date) limit :rows`,
);

interface Runs extends Record<string, unknown> {
  brandKey: number;
  day: string;
  ids: readonly string[];
}

const deleteRows = (table: string, condition: string) =>
  statement<never, Runs>(
    `prune_${table}`,
    `delete from ${table} where brand_key = :brandKey and ${condition}`,
  );

/**
 * Deletes runs of a day with what belongs to them, the run itself last. Their ads stay: reads of ads have no oldest day.
 */
export const deleteRuns = [
  deleteRows('run_answers', 'run_id = any(:ids)'),
  deleteRows('placements', 'day = :day and run_id = any(:ids)'),
  deleteRows('carousels', 'day = :day and run_id = any(:ids)'),
  deleteRows('runs', 'day = :day and id = any(:ids)'),
];
