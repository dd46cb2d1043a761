import type { EngineBindings } from './bindings.js';
import { statement } from './statement.js';

/** The newest day with runs on some engines; null: they never ran. */
export const newestRunDay = statement<{ day: string | null }, EngineBindings>(
  'newest_run_day',
  'select max(day) as day from day_scope where brand_key = :brandKey and engine = any(:engines)',
);

/** The newest day of some engines that has stored statistics; null: no day has. */
export const newestStatDay = statement<{ day: string | null }, EngineBindings>(
  'newest_stat_day',
  `select max(day) as day from daily_stats
   where brand_key = :brandKey and engine = any(:engines) and run_count > 0`,
);

/** The engines with runs in a window. */
export const enginesWithRuns = statement<
  { engine: string },
  { brandKey: number; start: string; end: string }
>(
  'engines_with_runs',
  'select distinct engine from day_scope where brand_key = :brandKey and day between :start and :end',
);
