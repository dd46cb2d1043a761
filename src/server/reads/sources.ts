import { blendedEngineIds } from '../../contract/engines.js';
import { CAPS } from '../../contract/limits.js';
import type { Source } from '../../contract/reads/sources.js';
import {
  type CitedDomainRow,
  chosenDomainsByName,
  domainsByName,
  topChosenDomains,
  topDomains,
} from '../sums/cited-pages.js';
import { EVERY_RUN } from '../sums/run-choice.js';
import { labelsOf } from './domain-labels.js';
import { daysFields } from './measured.js';
import { cutPage, rowsToFetch } from './page.js';
import { brandRefOf, type Compute, type ReadContext } from './reader.js';
import { requireRunsSince, type Slice, sliceOf } from './slice.js';

export const readSources: Compute<'sources'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  const isRolledUp = hasRolledUpCitations(slice);
  if (!isRolledUp) await requireRunsSince(context, slice.window.start, params);
  const { engines, window, runs } = slice;
  const bindings = { brandKey: brand.key, engines, ...window, ...(runs ?? EVERY_RUN) };
  const envelope = { brand: brandRefOf(brand) };
  if (!page) {
    const top = { ...bindings, rows: CAPS.sources };
    const [rows, around] = await Promise.all([
      isRolledUp ? topDomains(db, top) : topChosenDomains(db, top),
      daysFields(context, slice),
    ]);
    return { ...envelope, sources: await labelled(context, rows), ...around };
  }
  const place = { ...bindings, after: page.after?.[0] ?? null, rows: rowsToFetch(page) };
  const [found, around] = await Promise.all([
    isRolledUp ? domainsByName(db, place) : chosenDomainsByName(db, place),
    daysFields(context, slice),
  ]);
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.domain]);
  return { ...envelope, sources: await labelled(context, rows), ...around, next_cursor };
};

/** The roll-ups of domains and pages are of all runs on the blended engines. */
export const hasRolledUpCitations = ({ engines, runs }: Slice): boolean =>
  runs === null && engines === blendedEngineIds;

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
