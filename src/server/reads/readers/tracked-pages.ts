import { enginesOfMask } from '../../../contract/engines.js';
import { TOOL_CAPS } from '../../../contract/limits.js';
import type { TrackedPage } from '../../../contract/reads/tracked-pages.js';
import { type TrackedPageRow, trackedRoster } from '../../queries/tracked-pages.js';
import { brandRefOf, type Compute } from '../reader.js';
import { notes } from './notes.js';

export const readTrackedPages: Compute<'tracked-pages'> = async ({ db, brand }) => {
  const rows = await trackedRoster(db, { brandKey: brand.key, rows: TOOL_CAPS.trackedPages });
  const total = rows[0]?.total ?? 0;
  const note = notes([
    !brand.hasRuns && 'No answer was ever collected for this brand: totals of 0 are not measurements.',
    total > rows.length && `These are the ${rows.length} most cited of ${total} pages.`,
  ]);
  return { brand: brandRefOf(brand), total, pages: rows.map(pageOf), note };
};

const pageOf = (row: TrackedPageRow): TrackedPage => ({
  url: row.url,
  title: row.title,
  added_at: row.addedAt?.toISOString() ?? null,
  citations_total: row.citations,
  answers_total: row.answers,
  first_cited: row.firstCited,
  last_cited: row.lastCited,
  engines: enginesOfMask(row.engines),
  ranks:
    row.ranks?.map(({ provider, metric, value, fetched_at }) => ({ provider, metric, value, fetched_at })) ??
    null,
});
