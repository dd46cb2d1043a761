/** Records of observations besides runs: statistics of old days, videos, fact checks, crawler hits, mentions, visits. */
import { z } from 'zod';
import { type EntityMeasure, entityMeasureNames, scaleOf, scales } from '../../../contract/measures.js';
import { severities } from '../../../contract/reads/fact-check.js';
import {
  amount,
  counted,
  day,
  engine,
  fraction,
  id,
  monday,
  name,
  optional,
  record,
  score,
  smallCount,
  text,
  time,
} from './fields.js';

const measures = Object.fromEntries(
  entityMeasureNames.map((name) => [name, optional(scaleOf(name) === scales.fraction ? fraction : score)]),
) as Record<EntityMeasure, ReturnType<typeof optional<typeof score>>>;

export const dailyStat = record('daily_stat', {
  brand: id,
  entity: id,
  engine,
  date: day,
  run_count: smallCount,
  ...measures,
  // Every day with a run has one.
  visibility: score,
});

export const youtubeVideo = record('youtube_video', {
  video_id: z.string().regex(/^[A-Za-z0-9_-]{11}$/, 'expected an 11-character YouTube video id'),
  title: optional(text),
  channel_id: optional(text),
  channel_name: optional(text),
  published_at: optional(time),
  views: optional(counted),
  likes: optional(counted),
  stats_as_of: optional(time),
});

export const factCheck = record('fact_check', {
  brand: id,
  checked_at: text,
  answers_checked: smallCount,
  cost_usd: optional(amount),
  discrepancies: z.array(z.strictObject({ engine, claim: text, truth: text, severity: z.enum(severities) })),
});

export const crawlerEvent = record('crawler_event', {
  brand: id,
  agent: id,
  path: text.max(2048),
  time,
  status: optional(z.int().min(0).max(32_767)),
  key: optional(z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'expected 22 base64url characters')),
});

export const offsiteMention = record('offsite_mention', {
  id,
  brand: id,
  week: monday,
  kind: z.enum(['web', 'news']),
  entity: id,
  title: text,
  url: text,
  found_at: time,
});

export const visitDay = record('visit_day', {
  brand: id,
  date: day,
  path: text,
  visits: counted,
  ai_source: optional(name),
  country: optional(name),
});

export const fanoutVolume = record('fanout_volume', { query: text, volume: amount, measured_at: time });
