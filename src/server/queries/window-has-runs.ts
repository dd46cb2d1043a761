import type { WindowBindings } from './bindings.js';
import { statement } from './statement.js';

/** Whether a window has any run on some engines. */
export const windowHasRuns = statement<{ hasRuns: boolean }, WindowBindings>(
  'window_has_runs',
  `select exists (select 1 from day_scope where brand_key = :brandKey and day between :start and :end
     and engine = any(:engines)) as "hasRuns"`,
);
