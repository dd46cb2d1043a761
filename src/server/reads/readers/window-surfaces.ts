/** How the runs of a window were collected. */
import { type Surface, surfaces } from '../../../contract/surfaces.js';
import { chosenSurfaces } from '../../queries/chosen-sums.js';
import { statedSurfaces } from '../../queries/surfaces.js';
import type { ReadContext } from '../reader.js';
import type { Slice } from '../slice.js';

interface WindowSurface {
  surface: Surface | null;
  run_count: number;
}

/** Each surface with its runs, then those that state none. @param count All runs of the slice. */
export async function surfacesOf(
  { db, brand }: Pick<ReadContext, 'db' | 'brand'>,
  { window, engines, runs }: Slice,
  count: number,
): Promise<WindowSurface[]> {
  const bindings = { brandKey: brand.key, engines, ...window };
  const rows = await (runs ? chosenSurfaces(db, { ...bindings, ...runs }) : statedSurfaces(db, bindings));
  const unstated = count - rows.reduce((sum, row) => sum + row.runs, 0);
  const stated = surfaces.flatMap((surface) => {
    const row = rows.find((each) => each.surface === surface);
    return row ? [{ surface, run_count: row.runs }] : [];
  });
  return unstated > 0 ? [...stated, { surface: null, run_count: unstated }] : stated;
}
