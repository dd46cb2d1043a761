import type { Surface } from '../../contract/surfaces.js';
import type { WindowBindings } from './bindings.js';
import { statement } from './statement.js';

export interface SurfaceRuns {
  surface: Surface;
  runs: number;
}

/** The runs of a window by the surface that they state; the others are in no row. */
export const statedSurfaces = statement<SurfaceRuns, WindowBindings>(
  'stated_surfaces',
  `select surface, sum(run_count)::bigint as runs from day_surface
   where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by surface order by surface`,
);
