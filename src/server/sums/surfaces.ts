/** How the runs of a window were collected. */
import { type Surface, surfaces } from '../../contract/surfaces.js';
import { statement, type WindowBindings } from '../statement.js';

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

interface WindowSurface {
  surface: Surface | null;
  run_count: number;
}

/** Each surface with its runs, then those that state none. @param runs All runs of the window. */
export function surfacesOf(rows: readonly SurfaceRuns[], runs: number): WindowSurface[] {
  const unstated = runs - rows.reduce((sum, row) => sum + row.runs, 0);
  const stated = surfaces.flatMap((surface) => {
    const row = rows.find((each) => each.surface === surface);
    return row ? [{ surface, run_count: row.runs }] : [];
  });
  return unstated > 0 ? [...stated, { surface: null, run_count: unstated }] : stated;
}
