import { TOOL_CAPS, WINDOW_DAYS } from '../../../contract/limits.js';
import { windowEnding } from '../../days.js';
import { visitCountries, visitedPages, visitSources, visitTotals } from '../../queries/visits.js';
import { brandRefOf, type Compute } from '../reader.js';
import { notes } from './notes.js';

export const readVisitorStats: Compute<'visitor-stats'> = async ({ db, brand, today }) => {
  const window = { brandKey: brand.key, ...windowEnding(today) };
  const capped = { ...window, rows: TOOL_CAPS.visitorRows };
  const [[sums], top_pages, ai_sources, countries] = await Promise.all([
    visitTotals(db, window),
    visitedPages(db, capped),
    visitSources(db, capped),
    visitCountries(db, capped),
  ]);
  const { connected, visits, ai_referred } = sums!;
  return {
    brand: brandRefOf(brand),
    window_days: WINDOW_DAYS,
    connected,
    totals: connected ? { visits, ai_referred } : null,
    top_pages,
    ai_sources,
    countries,
    note: notes([
      !connected &&
        'The tracking snippet never reported a visit for this brand, so totals are null: not measured, not zero.',
      connected &&
        visits === 0 &&
        `No visit was reported in the last ${WINDOW_DAYS} days, so zeros may be missing data.`,
    ]),
  };
};
