/** Writers of observations besides runs: statistics of old days, videos, fact checks, crawler hits, mentions, visits. */
import { entityMeasureNames } from '../../../contract/measures.js';
import { isoTime } from '../records/fields.js';
import { noteConnection } from '../session.js';
import { digest, tableWriter, timeOrNull } from './upsert.js';

export const daily_stat = tableWriter('daily_stat', {
  table: 'daily_stats',
  key: ['brand_key', 'entity', 'engine', 'day', 'imported'],
  ref: (record) => record.entity,
  row: (record, brand, session) => ({
    brand_key: brand.key,
    entity: session.brands.entity(brand, record.entity),
    engine: record.engine,
    day: record.date,
    run_count: record.run_count,
    ...Object.fromEntries(entityMeasureNames.map((name) => [name, record[name] ?? null])),
    imported: true,
  }),
});

export const youtube_video = tableWriter('youtube_video', {
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

export const fact_check = tableWriter('fact_check', {
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

export const crawler_event = tableWriter('crawler_event', {
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

export const offsite_mention = tableWriter('offsite_mention', {
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

export const visit_day = tableWriter('visit_day', {
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

export const fanout_volume = tableWriter('fanout_volume', {
  table: 'fanout_volumes',
  key: ['hash'],
  row: ({ query, volume, measured_at }) => ({
    hash: digest(query),
    query,
    volume,
    measured_at: isoTime(measured_at),
  }),
  note: (_, __, session) => {
    session.touchedAll = true;
  },
});
