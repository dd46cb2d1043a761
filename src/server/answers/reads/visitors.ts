import { TOOL_CAPS, WINDOW_DAYS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import { windowEnding } from '../../base/days.js';
import { type BrandWindow, statement } from '../../base/statement.js';
import { brandRefOf, type Reader } from './reader.js';

const inWindow = 'from visit_days where brand_key = :brandKey and day between :start and :end';
const aiReferred = 'coalesce(sum(visits) filter (where ai_source is not null), 0)::bigint';

/** Visits of a window, and whether any day was ever reported. Always one row. */
const visitTotals = statement<{ connected: boolean; visits: number; ai_referred: number }, BrandWindow>(
  'visit_totals',
  `select exists (select 1 from visit_days where brand_key = :brandKey) as connected,
     coalesce(sum(visits), 0)::bigint as visits, ${aiReferred} as ai_referred ${inWindow}`,
);

const visitedPages = statement<
  { path: string; visits: number; ai_referred: number },
  BrandWindow & { rows: number }
>(
  'visited_pages',
  `select path, sum(visits)::bigint as visits, ${aiReferred} as ai_referred ${inWindow}
   group by path order by sum(visits) desc, path collate "C" limit :rows`,
);

/** The assistants that referred the most visits. */
const visitSources = statement<{ source: string; visits: number }, BrandWindow & { rows: number }>(
  'visit_sources',
  `select ai_source as source, sum(visits)::bigint as visits ${inWindow} and ai_source is not null
   group by ai_source order by sum(visits) desc, ai_source collate "C" limit :rows`,
);

const visitCountries = statement<{ country: string; visits: number }, BrandWindow & { rows: number }>(
  'visit_countries',
  `select country, sum(visits)::bigint as visits ${inWindow} and country is not null
   group by country order by sum(visits) desc, country collate "C" limit :rows`,
);

export const reader: Reader<'visitor-stats'> = async ({ db, brand, today }, { days = WINDOW_DAYS }) => {
  const window = { brandKey: brand.key, ...windowEnding(today, days) };
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
    window_days: days,
    connected,
    totals: connected ? { visits, ai_referred } : null,
    top_pages,
    ai_sources,
    countries,
    ...noted([
      !connected && fact('never_visited'),
      connected && visits === 0 && fact('no_visit', { length: days }),
    ]),
  };
};
