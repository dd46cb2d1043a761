import { statement } from './statement.js';

export interface SitePageCounts {
  checkedAt: Date | null;
  pages: number;
  ok: number;
  errors: number;
  botWalls: number;
}

/** The crawled pages of the brand's site by outcome; bot walls are apart. Always one row. */
export const sitePageCounts = statement<SitePageCounts, { brandKey: number }>(
  'site_page_counts',
  `select max(checked_at) as "checkedAt", count(*)::bigint as pages,
     (count(*) filter (where not bot_wall and status between 200 and 299))::bigint as ok,
     (count(*) filter (where not bot_wall and status >= 400))::bigint as errors,
     (count(*) filter (where bot_wall))::bigint as "botWalls"
   from site_pages where brand_key = :brandKey`,
);

/** Every measured time to first byte in milliseconds, ascending. */
export const timesToFirstByte = statement<{ ms: number }, { brandKey: number }>(
  'times_to_first_byte',
  'select ttfb_ms as ms from site_pages where brand_key = :brandKey and ttfb_ms is not null order by ttfb_ms',
);

/** The slowest measured pages. */
export const slowestPages = statement<
  { url: string; status: number; ttfb_ms: number },
  { brandKey: number; rows: number }
>(
  'slowest_pages',
  `select url, status, ttfb_ms from site_pages where brand_key = :brandKey and ttfb_ms is not null
   order by ttfb_ms desc, url collate "C" limit :rows`,
);
