import { visibleBrands } from '../accounts/access.js';
import { brandsByAge, brandsById, versionOfVisible } from '../accounts/brands.js';
import { cutPage, rowsToFetch } from './page.js';
import { type Reader, withCaching } from './reader.js';

const compute: Reader<'brands'> = async ({ db, access, page }) => {
  const visible = visibleBrands(access);
  if (!page) return { brands: await brandsByAge(db, visible) };
  const found = await brandsById(db, { ...visible, after: page.after?.[0] ?? null, rows: rowsToFetch(page) });
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.id]);
  return { brands: rows, next_cursor };
};

/** The list belongs to the caller: it changes with the brands that the key can see, not with one brand's data. */
export const reader = withCaching(compute, {
  version: ({ access, brand }) => `${access.keyId} ${brand.visibleVersion}`,
  isCurrent: async ({ db, access, brand }) => {
    const [stored] = await versionOfVisible(db, visibleBrands(access));
    return stored!.visibleVersion === brand.visibleVersion;
  },
});
