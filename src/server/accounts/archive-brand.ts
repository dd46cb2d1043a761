/** Stops collection for a brand. */
import type { Knex } from 'knex';
import { utcDay } from '../days.js';
import { holdBrand, newestRunSince, setArchived } from './brands.js';

/**
 * Stops collection for a brand from now on, or from its newest run if that is later. An archived brand keeps its date.
 * Returns undefined if the brand does not exist.
 */
export const archiveBrand = (
  db: Knex,
  id: string,
  now: Date,
): Promise<{ id: string; archivedAt: Date } | undefined> =>
  db.transaction(async (trx) => {
    const [brand] = await holdBrand(trx, { id });
    if (!brand) return undefined;
    const { brandKey } = brand;
    const [run] = await newestRunSince(trx, { brandKey, day: utcDay(now) });
    const newest = run?.newest ?? now;
    const [archived] = await setArchived(trx, { brandKey, end: newest > now ? newest : now });
    return archived;
  });
