/** Which days can be rebuilt from runs. The roll-ups of a day whose runs were pruned are all that is left of them. */
import type { Knex } from 'knex';
import { runsSince } from '../pruned-runs.js';

/** Those of the days whose runs are all stored, sorted. */
export async function rebuildableDays(
  trx: Knex.Transaction,
  brandKey: number,
  days: Iterable<string>,
): Promise<string[]> {
  const [brand] = await runsSince(trx, { brandKey });
  const since = brand?.day ?? '';
  return [...days].filter((day) => day >= since).sort();
}
