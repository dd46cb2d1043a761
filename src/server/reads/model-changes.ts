import { engineIds } from '../../contract/engines.js';
import type { ModelChange } from '../../contract/model-changes.js';
import type { Window } from '../days.js';
import { statement, type WindowBindings } from '../statement.js';
import type { ReadContext } from './reader.js';

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
  { db, brand }: Pick<ReadContext, 'db' | 'brand'>,
  engines: readonly string[],
  window: Window,
): Promise<ModelChange[]> {
  const rows = await modelsFirstSeen(db, { brandKey: brand.key, engines, ...window });
  return engineIds.flatMap((id) => rows.filter(({ engine }) => engine === id));
}
