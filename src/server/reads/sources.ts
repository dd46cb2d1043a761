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
import { cutPage, rowsToFetch } from './page.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { daysFields, requireRunsSince, sliceOf } from './slice.js';

export const reader: Reader<'sources'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  const { engines, window, runs, rolledUp } = slice;
  if (!rolledUp) await requireRunsSince(context, window.start, params);
  const bindings = { brandKey: brand.key, engines, ...window, ...(runs ?? EVERY_RUN) };
  const envelope = { brand: brandRefOf(brand) };
  if (!page) {
    const top = { ...bindings, rows: CAPS.sources };
    const [rows, extent] = await Promise.all([
      rolledUp ? topDomains(db, top) : topChosenDomains(db, top),
      daysFields(context, slice),
    ]);
    return { ...envelope, sources: await labelled(context, rows), ...extent };
  }
  const place = { ...bindings, after: page.after?.[0] ?? null, rows: rowsToFetch(page) };
  const [found, extent] = await Promise.all([
    rolledUp ? domainsByName(db, place) : chosenDomainsByName(db, place),
    daysFields(context, slice),
  ]);
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.domain]);
  return { ...envelope, sources: await labelled(context, rows), ...extent, next_cursor };
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
