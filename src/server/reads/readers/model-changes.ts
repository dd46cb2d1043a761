import { engineIds } from '../../../contract/engines.js';
import type { ModelChange } from '../../../contract/model-changes.js';
import type { Window } from '../../days.js';
import { modelsFirstSeen } from '../../queries/model-changes.js';
import type { ReadContext } from '../reader.js';

/** Models first seen within the window, engines in table order. */
export async function modelChangesOf(
  { db, brand }: Pick<ReadContext, 'db' | 'brand'>,
  engines: readonly string[],
  window: Window,
): Promise<ModelChange[]> {
  const rows = await modelsFirstSeen(db, { brandKey: brand.key, engines, ...window });
  return engineIds.flatMap((id) => rows.filter(({ engine }) => engine === id));
}
