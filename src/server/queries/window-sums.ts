import type { WindowSums } from '../metrics/entity-metrics.js';
import type { WindowBindings } from './bindings.js';
import { statement } from './statement.js';

/** Denominators of a window on some engines, from the daily roll-ups. Always one row. */
export const windowSums = statement<WindowSums, WindowBindings>(
  'window_sums',
  `select coalesce(sum(s.run_count), 0)::bigint as runs, coalesce(sum(s.citations), 0)::bigint as citations,
     (select coalesce(sum(e.present_runs), 0)::bigint from day_entity e
      where e.brand_key = :brandKey and e.day between :start and :end and e.engine = any(:engines)) as presences
   from day_scope s
   where s.brand_key = :brandKey and s.day between :start and :end and s.engine = any(:engines)`,
);

/** Whether a window has any run on some engines. */
export const windowHasRuns = statement<{ hasRuns: boolean }, WindowBindings>(
  'window_has_runs',
  `select exists (select 1 from day_scope where brand_key = :brandKey and day between :start and :end
     and engine = any(:engines)) as "hasRuns"`,
);
