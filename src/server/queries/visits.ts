import type { BrandWindow } from './bindings.js';
import { statement } from './statement.js';

const inWindow = 'from visit_days where brand_key = :brandKey and day between :start and :end';
const aiReferred = 'coalesce(sum(visits) filter (where ai_source is not null), 0)::bigint';

/** Visits of a window, and whether any day was ever reported. Always one row. */
export const visitTotals = statement<
  { connected: boolean; visits: number; ai_referred: number },
  BrandWindow
>(
  'visit_totals',
  `select exists (select 1 from visit_days where brand_key = :brandKey) as connected,
     coalesce(sum(visits), 0)::bigint as visits, ${aiReferred} as ai_referred ${inWindow}`,
);

/** The most visited pages. */
export const visitedPages = statement<
  { path: string; visits: number; ai_referred: number },
  BrandWindow & { rows: number }
>(
  'visited_pages',
  `select path, sum(visits)::bigint as visits, ${aiReferred} as ai_referred ${inWindow}
   group by path order by sum(visits) desc, path collate "C" limit :rows`,
);

/** The assistants that referred the most visits. */
export const visitSources = statement<{ source: string; visits: number }, BrandWindow & { rows: number }>(
  'visit_sources',
  `select ai_source as source, sum(visits)::bigint as visits ${inWindow} and ai_source is not null
   group by ai_source order by sum(visits) desc, ai_source collate "C" limit :rows`,
);

/** The countries that the most visits came from. */
export const visitCountries = statement<{ country: string; visits: number }, BrandWindow & { rows: number }>(
  'visit_countries',
  `select country, sum(visits)::bigint as visits ${inWindow} and country is not null
   group by country order by sum(visits) desc, country collate "C" limit :rows`,
);
