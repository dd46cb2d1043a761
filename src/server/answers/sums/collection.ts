/** How the runs of a window were collected: on which surfaces, and with which models. */

import { type EngineId, engineIds } from '../../../contract/engines.js';
import type { ModelChange } from '../../../contract/model-changes.js';
import { type Observable, observables, type Surface, surfaces } from '../../../contract/surfaces.js';
import type { Brand } from '../../accounts/access.js';
import type { Window } from '../../base/days.js';
import { type BrandWindow, type Db, statement, type WindowBindings } from '../../base/statement.js';
import type { SurfaceRuns } from '../metrics/change.js';

/** The column of `day_scope` that counts the runs which observe each. */
export const OBSERVERS: Readonly<Record<Observable, string>> = {
  ads: 'ad_observers',
  carousels: 'carousel_observers',
};

const enginesObserving = (each: Observable) =>
  statement<{ engine: EngineId }, BrandWindow>(
    `engines_observing_${each}`,
    `select distinct engine from day_scope
     where brand_key = :brandKey and day between :start and :end and ${OBSERVERS[each]} > 0`,
  );

/** Engines of which a run of a window observes them. */
export const observingEngines: Readonly<Record<Observable, ReturnType<typeof enginesObserving>>> = {
  ads: enginesObserving('ads'),
  carousels: enginesObserving('carousels'),
};

/** The bit of each in the column `observes` of a run. */
export const observedBit = (each: Observable): number => 1 << observables.indexOf(each);

/** The runs of two windows by surface. @param rows Rows of `day`, `surface` and `run_count`. */
export const bySurface = (rows: string): string => `
  select surface, coalesce(sum(run_count) filter (where day >= :start), 0)::bigint as runs,
    coalesce(sum(run_count) filter (where day < :start), 0)::bigint as "previousRuns"
  from ${rows} group by surface order by surface`;

/** The runs of each surface; runs that state none are in no row. `priorStart` is the first day of the window before. */
export const statedSurfaces = statement<SurfaceRuns, WindowBindings & { priorStart: string }>(
  'stated_surfaces',
  bySurface(
    'day_surface where brand_key = :brandKey and day between :priorStart and :end and engine = any(:engines)',
  ),
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
    return row && row.runs > 0 ? [{ surface, run_count: row.runs }] : [];
  });
  return unstated > 0 ? [...stated, { surface: null, run_count: unstated }] : stated;
}

/**
 * Models whose first run on an engine is within a window, and after the first of the engine's runs: a model that is as old as
 * these may be older, so that nothing says that it is new. Runs that state no model have none.
 */
const modelsFirstSeen = statement<{ engine: string; model: string; since: string }, WindowBindings>(
  'models_first_seen',
  `select d.engine, d.model, min(d.day) as since from day_model d
   where d.brand_key = :brandKey and d.day between :start and :end and d.engine = any(:engines) and d.model <> ''
     and not exists (
       select 1 from day_model e
       where e.brand_key = :brandKey and e.engine = d.engine and e.model = d.model and e.day < :start)
   group by d.engine, d.model
   having exists (
     select 1 from day_model f where f.brand_key = :brandKey and f.engine = d.engine and f.day < min(d.day))
   order by since, d.model`,
);

/** Models first seen within the window, engines in table order. */
export async function modelChangesOf(
  { db, brand }: { readonly db: Db; readonly brand: Pick<Brand, 'key'> },
  engines: readonly string[],
  window: Window,
): Promise<ModelChange[]> {
  const rows = await modelsFirstSeen(db, { brandKey: brand.key, engines, ...window });
  return engineIds.flatMap((id) => rows.filter(({ engine }) => engine === id));
}
