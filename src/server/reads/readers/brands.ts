import { scopeOf } from '../../accounts/access.js';
import { brandsByAge, brandsById } from '../../queries/brands.js';
import { cutPage, rowsToFetch } from '../page.js';
import type { Reader } from '../reader.js';

export const readBrands: Reader<'brands'> = async ({ db, access, page }) => {
  const scope = scopeOf(access);
  if (!page) return { brands: await brandsByAge(db, scope) };
  const found = await brandsById(db, { ...scope, after: page.after?.[0] ?? null, rows: rowsToFetch(page) });
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.id]);
  return { brands: rows, next_cursor };
};
