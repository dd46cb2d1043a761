/** Marks for those who operate a server: all of them, and their removal. Records add and change them. */
import type { Knex } from 'knex';
import type { Mark } from '../../../contract/reads/marks.js';
import { bumpStoredVersion, bumpVersion, holdBrand } from '../../accounts/brands.js';
import { statement } from '../../base/statement.js';

/** The marks of every brand, the newest first; `planned`: a plan file states it. */
export const listMarks = statement<Mark & { brand: string; planned: boolean }, Record<string, never>>(
  'list_marks',
  `select b.id as brand, m.id, m.day, m.text, m.url, m.prompts, m.topics, m.tags, m.pages, m.engines, m.planned
   from marks m join brands b on b.brand_key = m.brand_key order by b.id, m.day desc, m.id`,
);

const deleteMarks = statement<{ id: string }, { brandKey: number; ids: readonly string[] }>(
  'delete_marks',
  'delete from marks where brand_key = :brandKey and id = any(:ids) returning id',
);

/** Removes marks of a brand, so that no face shows them any more. Returns the ids of those that existed. */
export const removeMarks = (db: Knex, brand: string, ids: readonly string[]): Promise<string[]> =>
  db.transaction(async (trx) => {
    const [held] = await holdBrand(trx, { id: brand });
    if (!held) return [];
    const removed = await deleteMarks(trx, { ...held, ids });
    if (removed.length > 0) {
      await bumpVersion(trx, held);
      await bumpStoredVersion(trx, held);
    }
    return removed.map(({ id }) => id);
  });
