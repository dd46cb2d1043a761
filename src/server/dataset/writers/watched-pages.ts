/** Writers of watched pages: tracked pages, pages of the brand's site, discussion threads. */
import { canonicalUrl } from '../../citations/canonical-url.js';
import { ensureUrls } from '../cited-urls.js';
import { isoTime } from '../records/fields.js';
import { digest, tableWriter, timeOrNull } from './upsert.js';

const ensureRecordUrls = (
  session: Parameters<typeof ensureUrls>[0],
  brand: { key: number },
  records: { url: string }[],
) =>
  ensureUrls(
    session,
    brand.key,
    records.map((record) => canonicalUrl(record.url)),
  );

export const tracked_page = tableWriter('tracked_page', {
  table: 'tracked_pages',
  key: ['brand_key', 'url_key'],
  keeps: ['added_at'],
  ensure: ensureRecordUrls,
  row: (record, brand, session) => ({
    brand_key: brand.key,
    url_key: session.urls.keyOf(brand.key, canonicalUrl(record.url).url),
    title: record.title ?? null,
    added_at: timeOrNull(record.added_at),
    ranks: record.ranks?.map((rank) => ({ ...rank, fetched_at: isoTime(rank.fetched_at) })) ?? null,
  }),
  note: (_, brand) => {
    brand.tracksNewPages = true;
  },
});

export const site_page = tableWriter('site_page', {
  table: 'site_pages',
  key: ['brand_key', 'hash'],
  row: (record, brand) => ({
    brand_key: brand.key,
    hash: digest(canonicalUrl(record.url).url),
    url: canonicalUrl(record.url).url,
    status: record.status,
    bot_wall: record.bot_wall ?? false,
    ttfb_ms: record.ttfb_ms ?? null,
    checked_at: isoTime(record.checked_at),
  }),
});

export const community_thread = tableWriter('community_thread', {
  table: 'community_threads',
  key: ['brand_key', 'url_key'],
  ensure: ensureRecordUrls,
  row: (record, brand, session) => ({
    brand_key: brand.key,
    url_key: session.urls.keyOf(brand.key, canonicalUrl(record.url).url),
    title: record.title ?? null,
    kind: record.kind ?? null,
    brand_in_thread: record.brand_in_thread ?? null,
    checked_at: timeOrNull(record.checked_at),
  }),
});
