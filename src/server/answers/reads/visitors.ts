import { TOOL_CAPS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import { type BrandWindow, statement } from '../../base/statement.js';
import { ofLastDays } from './reader.js';

const inWindow = 'from visit_days where brand_key = :brandKey and day between :start and :end';
const aiReferred = 'coalesce(sum(visits) filter (where ai_source is not null), 0)::bigint';

/** Visits of a window, and whether any day was ever reported. Always one row. */
const visitTotals = statement<{ connected: boolean; visits: number; ai_referred: number }, BrandWindow>(
  'visit_totals',
  `select exists (select 1 from visit_days where brand_key = :brandKey) as connected,
     coalesce(sum(visits), 0)::bigint as visits, ${aiReferred} as ai_referred ${inWindow}`,
);

/** The values with the most visits. @param key The column of the values. */
const mostVisited = <Row>(name: string, key: string, as: string) =>
  statement<Row & { visits: number }, BrandWindow & { rows: number }>(
    name,
    `select ${key} as ${as}, sum(visits)::bigint as visits ${inWindow} and ${key} is not null
     group by ${key} order by sum(visits) desc, ${key} collate "C" limit :rows`,
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
const visitSources = mostVisited<{ source: string }>('visit_sources', 'ai_source', 'source');
const visitCountries = mostVisited<{ country: string }>('visit_countries', 'country', 'country');

export const reader = ofLastDays<'visitor-stats'>(async ({ db }, window) => {
  const capped = { ...window, rows: TOOL_CAPS.visitorRows };
  const [[sums], top_pages, ai_sources, countries] = await Promise.all([
    visitTotals(db, window),
    visitedPages(db, capped),
    visitSources(db, capped),
    visitCountries(db, capped),
  ]);
  const { connected, visits, ai_referred } = sums!;
  return {
    connected,
    totals: connected ? { visits, ai_referred } : null,
    top_pages,
    ai_sources,
    countries,
    ...noted([
      !connected && fact('never_visited'),
      connected && visits === 0 && fact('no_visit', { length: window.days.length }),
    ]),
  };
});
