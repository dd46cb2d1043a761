import { visibleBrands } from '../../accounts/access.js';
import { brandsByAge, brandsById, type ListedBrand, versionOfVisible } from '../../accounts/brands.js';
import { faultsOf } from '../collections.js';
import { cutPage, rowsToFetch } from './list-page.js';
import { type Reader, withCaching } from './reader.js';

const compute: Reader<'brands'> = async ({ db, access, page }) => {
  const visible = visibleBrands(access);
  // Why nothing is collected is for those who can mend it, and not for the viewers of a link.
  const withFaults = async (listed: readonly ListedBrand[]) => {
    const faults =
      access.shareId === undefined
        ? await faultsOf(
            db,
            listed.map(({ key }) => key),
          )
        : null;
    return listed.map(({ key, ...brand }) => ({ ...brand, collection_fault: faults?.get(key) ?? null }));
  };
  if (!page) return { brands: await withFaults(await brandsByAge(db, visible)) };
  const found = await brandsById(db, { ...visible, after: page.after?.[0] ?? null, rows: rowsToFetch(page) });
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.id]);
  return { brands: await withFaults(rows), next_cursor };
};

/** The list belongs to the caller: it changes with the brands that the key can see, not with one brand's data. */
export const reader = withCaching(compute, {
  version: ({ access, brand }) => `${access.keyId} ${brand.visibleVersion}`,
  isCurrent: async ({ db, access, brand }) => {
    const [stored] = await versionOfVisible(db, visibleBrands(access));
    return stored!.visibleVersion === brand.visibleVersion;
  },
});
