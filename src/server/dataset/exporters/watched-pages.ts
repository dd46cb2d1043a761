/** Exporters of watched pages: tracked pages, pages of the brand's site, discussion threads. */
import type { RecordOf } from '../records/index.js';
import { brandExporter, isoOrNull, stated } from './exporter.js';

interface TrackedPageRow {
  url: string;
  title: string | null;
  added_at: Date | null;
  ranks: RecordOf<'tracked_page'>['ranks'];
}

export const tracked_page = brandExporter(
  'tracked_page',
  `select u.url, p.title, p.added_at, p.ranks
   from tracked_pages p join cited_urls u on u.brand_key = :brandKey and u.url_key = p.url_key
   where p.brand_key = :brandKey`,
  ['url'],
  ({ url, title, added_at, ranks }: TrackedPageRow, brand) =>
    stated({
      type: 'tracked_page',
      brand,
      url,
      title,
      added_at: isoOrNull(added_at),
      ranks: ranks?.map(({ provider, metric, value, fetched_at }) => ({
        provider,
        metric,
        value,
        fetched_at,
      })),
    }),
);

interface SitePageRow {
  hash: Buffer;
  url: string;
  status: number;
  bot_wall: boolean;
  ttfb_ms: number | null;
  checked_at: Date;
}

export const site_page = brandExporter(
  'site_page',
  'select hash, url, status, bot_wall, ttfb_ms, checked_at from site_pages where brand_key = :brandKey',
  ['hash'],
  ({ hash: _, checked_at, ...row }: SitePageRow, brand) => ({
    type: 'site_page',
    brand,
    ...stated(row),
    checked_at: checked_at.toISOString(),
  }),
);

interface ThreadRow {
  url: string;
  title: string | null;
  kind: RecordOf<'community_thread'>['kind'];
  brand_in_thread: boolean | null;
  checked_at: Date | null;
}

export const community_thread = brandExporter(
  'community_thread',
  `select u.url, t.title, t.kind, t.brand_in_thread, t.checked_at
   from community_threads t join cited_urls u on u.brand_key = :brandKey and u.url_key = t.url_key
   where t.brand_key = :brandKey`,
  ['url'],
  ({ checked_at, ...row }: ThreadRow, brand) =>
    stated({ type: 'community_thread', brand, ...row, checked_at: isoOrNull(checked_at) }),
);
