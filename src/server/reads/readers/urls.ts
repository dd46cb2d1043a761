import { blendedEngineIds, enginesOfMask } from '../../../contract/engines.js';
import { CAPS } from '../../../contract/limits.js';
import type { CitedUrl, PageType } from '../../../contract/reads/urls.js';
import { everyDayOf, windowBefore, windowEnding } from '../../days.js';
import { type CitedUrlRow, topUrls, urlsByUrl } from '../../queries/cited-urls.js';
import { windowHasRuns } from '../../queries/window-has-runs.js';
import { cutPage, rowsToFetch } from '../page.js';
import { brandRefOf, type Compute, type ReadContext } from '../reader.js';
import { labelsOf } from './domain-labels.js';

export const readUrls: Compute<'urls'> = async (context) => {
  const { db, brand, today, page } = context;
  const window = windowEnding(today);
  const prior = windowBefore(window);
  const windows = {
    brandKey: brand.key,
    ...window,
    priorStart: prior.start,
    priorEnd: prior.end,
    days: everyDayOf(window),
    priorDays: everyDayOf(prior),
  };
  const envelope = { brand: brandRefOf(brand) };
  if (!page)
    return {
      ...envelope,
      urls: await described(context, await topUrls(db, { ...windows, rows: CAPS.urls })),
    };
  const found = await urlsByUrl(db, { ...windows, after: page.after?.[0] ?? null, rows: rowsToFetch(page) });
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.url]);
  return { ...envelope, urls: await described(context, rows), next_cursor };
};

/** prior_citations is null on every row while no prior window was observed: then 0 would be a claim. */
async function described(context: ReadContext, rows: CitedUrlRow[]): Promise<CitedUrl[]> {
  const { db, brand, today } = context;
  const prior = { brandKey: brand.key, engines: blendedEngineIds, ...windowBefore(windowEnding(today)) };
  const [label, [observed]] = await Promise.all([
    labelsOf(
      context,
      rows.map((row) => row.domain),
    ),
    windowHasRuns(db, prior),
  ]);
  return rows.map((row) => ({
    url: row.url,
    domain: row.domain,
    title: row.title,
    ...label(row.domain),
    citations: row.citations,
    prior_citations: observed!.hasRuns ? row.priorCitations : null,
    answers: row.answers,
    engines: enginesOfMask(row.engines),
    brand_present: row.brandPresent,
    page_type: row.pageType as PageType | null,
  }));
}
