/** What else was observed: statistics of old days, videos, crawler hits, pages, visits, threads, fact checks. */
import { hash } from 'node:crypto';
import { canonicalUrl } from '../../citations/canonical-url.js';
import { addDays, LIVE_DAYS_BACK, utcDay } from '../../days.js';
import { volumeHash } from '../../metrics/volume-hash.js';
import { learnUrls } from '../cited-urls.js';
import { isoTime } from '../records/fields.js';
import { noteConnection } from '../session.js';
import { tableWriter } from './table-writer.js';

const timeOrNull = (time: string | null | undefined): string | null => (time == null ? null : isoTime(time));
const digest = (...parts: unknown[]): string => `\\x${hash('sha256', JSON.stringify(parts), 'hex')}`;

export const dailyStat = tableWriter('daily_stat', {
  table: 'daily_stats',
  key: ['brand_key', 'entity', 'engine', 'day', 'imported'],
  ref: (record) => record.entity,
  row: (record, brand, session) => ({
    brand_key: brand.key,
    entity: session.brands.entity(brand, record.entity),
    engine: record.engine,
    day: record.date,
    run_count: record.run_count,
    visibility: record.visibility,
    share_of_voice_fraction: record.share_of_voice_fraction ?? null,
    citation_share: record.citation_share ?? null,
    sentiment_index: record.sentiment_index ?? null,
    imported: true,
  }),
});

/** daily_stat records are of days that runs no longer answer for. */
export const isInsideHorizon = (day: string, now: Date): boolean =>
  day >= addDays(utcDay(now), -LIVE_DAYS_BACK);

export const youtubeVideo = tableWriter('youtube_video', {
  table: 'youtube_videos',
  key: ['video_id'],
  row: (record) => ({
    video_id: record.video_id,
    title: record.title ?? null,
    channel_id: record.channel_id ?? null,
    channel_name: record.channel_name ?? null,
    published_at: timeOrNull(record.published_at),
    views: record.views ?? null,
    likes: record.likes ?? null,
    stats_as_of: timeOrNull(record.stats_as_of),
  }),
  note: (_, __, session) => {
    session.touchedAll = true;
  },
});

export const factCheck = tableWriter('fact_check', {
  table: 'fact_checks',
  key: ['brand_key'],
  row: (record, brand) => ({
    brand_key: brand.key,
    checked_at: record.checked_at,
    answers_checked: record.answers_checked,
    cost_usd: record.cost_usd ?? null,
    discrepancies: record.discrepancies,
  }),
});

export const crawlerEvent = tableWriter('crawler_event', {
  table: 'crawler_events',
  key: ['brand_key', 'dedupe_key'],
  row: ({ agent, path, time, status, key }, brand, session) => ({
    brand_key: brand.key,
    dedupe_key: key
      ? `\\x${Buffer.from(key, 'base64url').toString('hex')}`
      : digest(agent, path, isoTime(time), status ?? null).slice(0, 34),
    agent,
    path,
    time: isoTime(time),
    status: status ?? null,
    received_at: session.now.toISOString(),
  }),
  note: (record, brand, session) => noteConnection(session, brand.key, isoTime(record.time)),
});

export const offsiteMention = tableWriter('offsite_mention', {
  table: 'offsite_mentions',
  key: ['brand_key', 'id'],
  ref: (record) => record.entity,
  row: (record, brand, session) => ({
    brand_key: brand.key,
    id: record.id,
    week: record.week,
    kind: record.kind,
    entity: session.brands.entity(brand, record.entity),
    title: record.title,
    url: record.url,
    found_at: isoTime(record.found_at),
  }),
});

const learnRecordUrls = (
  session: Parameters<typeof learnUrls>[0],
  brand: { key: number },
  records: { url: string }[],
) =>
  learnUrls(
    session,
    brand.key,
    records.map((record) => record.url),
  );

export const trackedPage = tableWriter('tracked_page', {
  table: 'tracked_pages',
  key: ['brand_key', 'url_key'],
  keeps: ['added_at'],
  learn: learnRecordUrls,
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

export const sitePage = tableWriter('site_page', {
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

export const visitDay = tableWriter('visit_day', {
  table: 'visit_days',
  key: ['brand_key', 'day', 'hash'],
  row: ({ date, path, visits, ai_source, country }, brand) => ({
    brand_key: brand.key,
    day: date,
    hash: digest(path, ai_source ?? null, country ?? null),
    path,
    visits,
    ai_source: ai_source ?? null,
    country: country ?? null,
  }),
});

export const communityThread = tableWriter('community_thread', {
  table: 'community_threads',
  key: ['brand_key', 'url_key'],
  learn: learnRecordUrls,
  row: (record, brand, session) => ({
    brand_key: brand.key,
    url_key: session.urls.keyOf(brand.key, canonicalUrl(record.url).url),
    title: record.title ?? null,
    kind: record.kind ?? null,
    brand_in_thread: record.brand_in_thread ?? null,
    checked_at: timeOrNull(record.checked_at),
  }),
});

export const fanoutVolume = tableWriter('fanout_volume', {
  table: 'fanout_volumes',
  key: ['hash'],
  row: ({ query, volume, measured_at }) => ({
    hash: `\\x${volumeHash(query)}`,
    query,
    volume,
    measured_at: isoTime(measured_at),
  }),
  note: (_, __, session) => {
    session.touchedAll = true;
  },
});
