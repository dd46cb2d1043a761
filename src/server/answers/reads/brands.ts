import { SUMMARY_DAYS } from '../../../contract/reads/brands.js';
import { visibleBrands } from '../../accounts/access.js';
import { brandsByAge, brandsById, type ListedBrand, versionOfVisible } from '../../accounts/brands.js';
import { utcDay } from '../../base/days.js';
import { faultsOf } from '../collections.js';
import { summariesOf } from './brand-summaries.js';
import { cutPage, rowsToFetch } from './list-page.js';
import { type Reader, withCaching } from './reader.js';

const compute: Reader<'brands'> = async ({ db, access, page, today }, { include, days = SUMMARY_DAYS }) => {
  const visible = visibleBrands(access);
  const entriesOf = async (listed: readonly ListedBrand[]) => {
    const keys = listed.map(({ key }) => key);
    // What needs people tells of the site and its facts, which the viewers of a link do not see.
    const isViewer = access.shareId !== undefined;
    const ends = listed.map((brand) => ({
      ...brand,
      end: lastDayOf(brand, today),
      needs: isViewer || brand.archived ? null : brand.needs,
    }));
    const [faults, summaries] = await Promise.all([
      // Why nothing is collected is for those who can mend it, and not for the viewers of a link.
      isViewer ? null : faultsOf(db, keys),
      include === 'summary' ? summariesOf(db, ends, days) : null,
    ]);
    const seesSeveral = access.workspaceId === null && !isViewer;
    return listed.map(({ key, archivedAt: _, needs: __, workspaceName, ...brand }) => ({
      ...brand,
      collection_fault: faults?.get(key) ?? null,
      summary: summaries?.get(key) ?? null,
      workspace_name: seesSeveral ? workspaceName : null,
    }));
  };
  if (!page) return { brands: await entriesOf(await brandsByAge(db, visible)) };
  const found = await brandsById(db, { ...visible, after: page.after?.[0] ?? null, rows: rowsToFetch(page) });
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.id]);
  return { brands: await entriesOf(rows), next_cursor };
};

/** The day on which the window of a summary ends. */
function lastDayOf({ archivedAt }: ListedBrand, today: string): string {
  const archived = archivedAt && utcDay(archivedAt);
  return archived !== null && archived < today ? archived : today;
}

/** The list belongs to the caller: it changes with the brands that the key can see, not with one brand's data. */
export const reader = withCaching(compute, {
  version: ({ access, brand }) => `${access.keyId} ${brand.visibleVersion}`,
  isCurrent: async ({ db, access, brand }) => {
    const [stored] = await versionOfVisible(db, visibleBrands(access));
    return stored!.visibleVersion === brand.visibleVersion;
  },
});
