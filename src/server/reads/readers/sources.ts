import { CAPS } from '../../../contract/limits.js';
import type { Source } from '../../../contract/reads/sources.js';
import { windowEnding } from '../../days.js';
import { type CitedDomainRow, domainsByName, topDomains } from '../../queries/cited-domains.js';
import { cutPage, rowsToFetch } from '../page.js';
import { brandRefOf, type Compute, type ReadContext } from '../reader.js';
import { labelsOf } from './domain-labels.js';

export const readSources: Compute<'sources'> = async (context) => {
  const { db, brand, today, page } = context;
  const window = { brandKey: brand.key, ...windowEnding(today) };
  const envelope = { brand: brandRefOf(brand) };
  if (!page)
    return {
      ...envelope,
      sources: await labelled(context, await topDomains(db, { ...window, rows: CAPS.sources })),
    };
  const found = await domainsByName(db, {
    ...window,
    after: page.after?.[0] ?? null,
    rows: rowsToFetch(page),
  });
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.domain]);
  return { ...envelope, sources: await labelled(context, rows), next_cursor };
};

async function labelled(context: ReadContext, rows: CitedDomainRow[]): Promise<Source[]> {
  const label = await labelsOf(
    context,
    rows.map((row) => row.domain),
  );
  return rows.map((row) => ({
    domain: row.domain,
    ...label(row.domain),
    citations: row.citations,
    brand_present: row.brandPresent,
  }));
}
