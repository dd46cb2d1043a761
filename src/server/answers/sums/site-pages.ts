import { statement } from '../../base/statement.js';

interface SitePageCounts {
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
