/** How the runs of a window were collected. */
import { type Surface, surfaces } from '../../../contract/surfaces.js';
import type { WindowBindings } from '../../queries/bindings.js';
import { statedSurfaces } from '../../queries/surfaces.js';
import type { ReadContext } from '../reader.js';

interface WindowSurface {
  surface: Surface | null;
  run_count: number;
}

/** Each surface with its runs, then those that state none. @param runs All runs of the window on these engines. */
export async function surfacesOf(
  db: ReadContext['db'],
  bindings: WindowBindings,
  runs: number,
): Promise<WindowSurface[]> {
  const rows = await statedSurfaces(db, bindings);
  const unstated = runs - rows.reduce((sum, row) => sum + row.runs, 0);
  const stated = surfaces.flatMap((surface) => {
    const row = rows.find((each) => each.surface === surface);
    return row ? [{ surface, run_count: row.runs }] : [];
  });
  return unstated > 0 ? [...stated, { surface: null, run_count: unstated }] : stated;
}
