/** Records of observations besides runs: statistics of old days, videos, fact checks, crawler hits, mentions, visits. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { type MeasureName, measureNames, scaleOf, scales } from '../../../../contract/measures.js';
import { severities } from '../../../../contract/reads/fact-check.js';
import { mondayOf } from '../../../base/days.js';
import {
  amount,
  countField,
  day,
  engine,
  fraction,
  id,
  isoTime,
  monday,
  name,
  optional,
  score,
  smallCount,
  text,
} from '../../../base/fields.js';
import { digest } from '../../../base/hashed-text.js';
import { noteConnection } from '../session.js';
import {
  entityId,
  field,
  inOrderOf,
  ofBrand,
  omitNulls,
  optionalTimestamp,
  recordType,
  timestamp,
} from './table.js';

const dateOfDay = field(day, { column: 'day' });

const measures = Object.fromEntries(
  measureNames.map((name) => [name, optional(scaleOf(name) === scales.fraction ? fraction : score)]),
) as Record<MeasureName, ReturnType<typeof optional<typeof score>>>;

/** A daily statistic. Only imported ones are exported: the others are computed again from the runs. */
export const dailyStat = recordType('daily_stat', {
  table: 'daily_stats',
  key: ['entity', 'engine', 'date', 'imported'],
  ref: 'entity',
  fields: {
    brand: ofBrand,
    entity: entityId,
    engine,
    date: dateOfDay,
    run_count: smallCount,
    ...measures,
    // Every day with a run has one.
    visibility: score,
  },
  columns: () => ({ imported: true }),
  where: 'x.imported',
});

export const youtubeVideo = recordType('youtube_video', {
  table: 'youtube_videos',
  key: ['video_id'],
  fields: {
    video_id: z.string().regex(/^[A-Za-z0-9_-]{11}$/, 'expected an 11-character YouTube video id'),
    title: optional(text),
    channel_id: optional(text),
    channel_name: optional(text),
    published_at: optionalTimestamp,
    views: optional(countField),
    likes: optional(countField),
    stats_as_of: optionalTimestamp,
  },
  last: ['published_at', 'stats_as_of'],
  note: (_, __, session) => {
    session.touchedAll = true;
  },
});

const discrepancy = z.strictObject({
  engine,
  claim: text,
  truth: text,
  severity: z.enum(severities),
  run_id: optional(id),
});

export const factCheck = recordType('fact_check', {
  table: 'fact_checks',
  key: [],
  fields: {
    brand: ofBrand,
    checked_at: text,
    answers_checked: smallCount,
    cost_usd: optional(amount),
    discrepancies: field(z.array(discrepancy), {
      read: (stored: z.output<typeof discrepancy>[]) => inOrderOf(discrepancy)(stored).map(omitNulls),
    }),
  },
});

/** 16 bytes in base64url. */
const lineKey = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'expected 22 base64url characters');
const keyText = (stored: Uint8Array) => Buffer.from(stored).toString('base64url');
const keyBytes = (key: string) => `\\x${Buffer.from(key, 'base64url').toString('hex')}`;

export const crawlerEvent = recordType('crawler_event', {
  table: 'crawler_events',
  key: ['key'],
  observedAt: 'time',
  fields: {
    brand: ofBrand,
    agent: id,
    path: text.max(2048),
    time: timestamp,
    status: optional(z.int().min(0).max(32_767)),
    /** Whether the address of the client was one of the agent's operator; null: not known. */
    verified: optional(z.boolean()),
    key: field(optional(lineKey), { column: 'dedupe_key', read: keyText }),
  },
  columns: ({ agent, path, time, status, key }, _, session) => ({
    dedupe_key: key ? keyBytes(key) : digest(agent, path, isoTime(time), status ?? null).slice(0, 34),
    received_at: session.now.toISOString(),
  }),
  note: (record, brand, session) => {
    const week = mondayOf(isoTime(record.time).slice(0, 10));
    const known = session.hitWeeks.get(brand.key);
    if (known) known.add(week);
    else session.hitWeeks.set(brand.key, new Set([week]));
    noteConnection(session, brand.key, isoTime(record.time));
  },
});

export const offsiteMention = recordType('offsite_mention', {
  table: 'offsite_mentions',
  key: ['id'],
  ref: 'entity',
  fields: {
    id,
    brand: ofBrand,
    week: monday,
    kind: z.enum(['web', 'news']),
    entity: entityId,
    title: text,
    url: text,
    found_at: timestamp,
  },
  last: ['type', 'id', 'brand', 'found_at'],
});

// Visits that answers send, as logs tell of them. Nothing of a visitor is exported.

export const referralDay = recordType('referral_day', {
  table: 'referral_days',
  key: ['date', 'product', 'hash'],
  order: ['date', 'product', 'path'],
  fields: {
    brand: ofBrand,
    date: dateOfDay,
    product: id,
    path: text.max(2048),
    visits: smallCount,
    pageviews: smallCount,
    without_visitor: field(optional(smallCount), { fallback: 0, read: (count: number) => count || null }),
  },
  columns: ({ path }) => ({ hash: `\\x${hash('sha256', path, 'hex').slice(0, 32)}` }),
});

/** A day on which it is known where people came from. */
export const referringDay = recordType('referring_day', {
  table: 'referral_scope',
  key: ['date'],
  fields: { brand: ofBrand, date: dateOfDay },
});

/** A page view that was counted, by the key of its line: sending the line again counts nothing. */
export const referralView = recordType('referral_view', {
  table: 'referral_keys',
  key: ['date', 'key'],
  fields: { brand: ofBrand, date: dateOfDay, key: field(lineKey, { write: keyBytes, read: keyText }) },
});

export const visitDay = recordType('visit_day', {
  table: 'visit_days',
  key: ['date', 'hash'],
  fields: {
    brand: ofBrand,
    date: dateOfDay,
    path: text,
    visits: countField,
    ai_source: optional(name),
    country: optional(name),
  },
  columns: ({ path, ai_source, country }) => ({ hash: digest(path, ai_source ?? null, country ?? null) }),
});

export const fanoutVolume = recordType('fanout_volume', {
  table: 'fanout_volumes',
  key: ['hash'],
  fields: { query: text, volume: amount, measured_at: timestamp },
  columns: ({ query }) => ({ hash: digest(query) }),
  note: (_, __, session) => {
    session.touchedAll = true;
  },
});
