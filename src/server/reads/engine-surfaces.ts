/** Slices by surface whose runs are those of some engines, which roll-ups have. */
import type { EngineId } from '../../contract/engines.js';
import { statement, type WindowBindings } from '../statement.js';
import type { ReadContext } from './reader.js';
import { isRolledUp, type Slice } from './slice.js';

/** The runs of each engine, with and without an answer, and those on the chosen surfaces. */
const engineSurfaces = statement<
  { engine: EngineId; runs: number; chosen: number },
  WindowBindings & { surfaces: readonly string[] }
>(
  'engine_surfaces',
  `select engine, sum(runs)::bigint as runs, sum(chosen)::bigint as chosen
   from (
     select engine, day, run_count as runs, 0 as chosen from day_scope where brand_key = :brandKey
     union all
     select engine, day, 0, run_count from day_surface where brand_key = :brandKey and surface = any(:surfaces)
     union all
     select engine, day, 1, cast(surface = any(:surfaces) as integer) from day_outcomes where brand_key = :brandKey
   ) collected
   where day between :start and :end and engine = any(:engines)
   group by engine`,
);

/**
 * The same runs, chosen by engines instead of surfaces: possible if all runs of an engine are on the chosen surfaces, or none.
 * The roll-ups have the sums of engines, and not those of surfaces.
 * @param first The first day that is summed.
 */
export async function byEngineSurfaces<S extends Pick<Slice, 'engines' | 'runs' | 'window' | 'rolledUp'>>(
  { db, brand }: Pick<ReadContext, 'db' | 'brand'>,
  slice: S,
  first: string,
): Promise<S> {
  const { engines, runs, window } = slice;
  if (!runs?.surfaces) return slice;
  const { promptKeys, regions, surfaces } = runs;
  const range = { brandKey: brand.key, engines, start: first, end: window.end };
  const collected = await engineSurfaces(db, { ...range, surfaces });
  if (collected.some(({ runs, chosen }) => chosen !== 0 && chosen !== runs)) return slice;
  const onThem = new Set(collected.flatMap(({ engine, chosen }) => (chosen > 0 ? [engine] : [])));
  const left = engines.filter((engine) => onThem.has(engine));
  const others = promptKeys === null && regions === null ? null : { promptKeys, regions, surfaces: null };
  return { ...slice, engines: left, runs: others, rolledUp: isRolledUp(left, others) };
}
