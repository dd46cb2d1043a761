import { engineIds, enginesOfMask } from '../../contract/engines.js';
import { CAPS } from '../../contract/limits.js';
import type { citedUrl, PageType } from '../../contract/reads/urls.js';
import type { Infer } from '../../contract/schema.js';
import { everyDayOf } from '../days.js';
import { type CitedUrlRow, chosenUrlsByUrl, topChosenUrls, topUrls, urlsByUrl } from '../sums/cited-pages.js';
import { windowHasRuns } from '../sums/collected-days.js';
import { anyChosen } from '../sums/entity-sums.js';
import { EVERY_RUN } from '../sums/run-choice.js';
import { labelsOf } from './domain-labels.js';
import { cutPage, rowsToFetch } from './page.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { daysFields, requireRunsSince, type Slice, type SliceParams, sliceOf } from './slice.js';

export const reader: Reader<'urls'> = async (context, params) => {
  const { brand, page } = context;
  const slice = await sliceOf(context, params);
  const envelope = { brand: brandRefOf(brand) };
  const statements = await statementsOf(context, slice, params);
  if (!page) {
    const [rows, extent] = await Promise.all([statements.top(CAPS.urls), daysFields(context, slice)]);
    return { ...envelope, urls: await described(context, slice, rows, extent.measured !== null), ...extent };
  }
  const [found, extent] = await Promise.all([
    statements.byUrl(page.after?.[0] ?? null, rowsToFetch(page)),
    daysFields(context, slice),
  ]);
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.url]);
  return {
    ...envelope,
    urls: await described(context, slice, rows, extent.measured !== null),
    ...extent,
    next_cursor,
  };
};

/** The statements for a slice: on the roll-ups where they have it, else on the runs. */
async function statementsOf(context: ReadContext, slice: Slice, params: SliceParams) {
  const { db, brand } = context;
  const { window, prior, engines, runs } = slice;
  const windows = { brandKey: brand.key, ...window, priorStart: prior.start };
  if (slice.rolledUp) {
    const days = { priorEnd: prior.end, days: everyDayOf(window), priorDays: everyDayOf(prior) };
    return {
      top: (rows: number) => topUrls(db, { ...windows, ...days, rows }),
      byUrl: (after: string | null, rows: number) => urlsByUrl(db, { ...windows, ...days, after, rows }),
    };
  }
  await requireRunsSince(context, prior.start, params);
  const chosen = { ...windows, engines, engineBits: engineIds, ...(runs ?? EVERY_RUN) };
  return {
    top: (rows: number) => topChosenUrls(db, { ...chosen, rows }),
    byUrl: (after: string | null, rows: number) => chosenUrlsByUrl(db, { ...chosen, after, rows }),
  };
}

type CitedUrl = Infer<typeof citedUrl, null>;

/** prior_citations is null on every row while no prior window was observed: then 0 would be a claim. */
async function described(
  context: ReadContext,
  slice: Slice,
  rows: CitedUrlRow[],
  isMeasured: boolean,
): Promise<CitedUrl[]> {
  const { db, brand } = context;
  const { prior, engines, runs } = slice;
  const before = { brandKey: brand.key, engines, ...prior };
  const [label, [observed]] = await Promise.all([
    labelsOf(
      context,
      rows.map((row) => row.domain),
    ),
    runs ? anyChosen(db, { ...before, ...runs }) : windowHasRuns(db, before),
  ]);
  return rows.map((row) => ({
    url: row.url,
    domain: row.domain,
    title: row.title,
    ...label(row.domain),
    citations: isMeasured ? row.citations : null,
    prior_citations: observed!.hasRuns ? row.priorCitations : null,
    answers: isMeasured ? row.answers : null,
    engines: enginesOfMask(row.engines),
    brand_present: row.brandPresent,
    page_type: row.pageType as PageType | null,
  }));
}
