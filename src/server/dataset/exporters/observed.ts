/** Exporters of observations besides runs: imported statistics, fact checks, crawler hits, visits, off-site mentions. */
import { entityMeasureNames } from '../../../contract/measures.js';
import type { RecordOf } from '../records/index.js';
import { brandExporter, commonExporter, isoOrNull, stated } from './exporter.js';

/** The id of the entity in `x.entity`: that of a competitor, which count from 1, else the brand's. */
const ENTITY = 'coalesce(c.id, b.id)';
const OF_ENTITY = `join brands b on b.brand_key = :brandKey
   left join competitors c on c.brand_key = :brandKey and c.entity = x.entity`;

/** Only imported statistics: the others are computed again from the runs. */
export const daily_stat = brandExporter(
  'daily_stat',
  `select ${ENTITY} as entity, x.engine, x.day as date, x.run_count,
     ${entityMeasureNames.map((name) => `x.${name}`).join(', ')}
   from daily_stats x ${OF_ENTITY} where x.brand_key = :brandKey and x.imported`,
  ['entity', 'engine', 'date'],
  (row: Omit<RecordOf<'daily_stat'>, 'type' | 'brand'>, brand) => ({
    type: 'daily_stat',
    brand,
    ...stated(row),
  }),
);

export const offsite_mention = brandExporter(
  'offsite_mention',
  `select x.id, x.week, x.kind, ${ENTITY} as entity, x.title, x.url, x.found_at
   from offsite_mentions x ${OF_ENTITY} where x.brand_key = :brandKey`,
  ['id'],
  ({ id, found_at, ...row }: Omit<RecordOf<'offsite_mention'>, 'found_at'> & { found_at: Date }, brand) => ({
    ...row,
    type: 'offsite_mention',
    id,
    brand,
    found_at: found_at.toISOString(),
  }),
);

interface FactCheckRow {
  checked_at: string;
  answers_checked: number;
  cost_usd: number | null;
  discrepancies: RecordOf<'fact_check'>['discrepancies'];
}

export const fact_check = brandExporter(
  'fact_check',
  'select checked_at, answers_checked, cost_usd, discrepancies from fact_checks where brand_key = :brandKey',
  [],
  ({ discrepancies, ...row }: FactCheckRow, brand) => ({
    type: 'fact_check',
    brand,
    ...stated(row),
    discrepancies: discrepancies.map(({ engine, claim, truth, severity }) => ({
      engine,
      claim,
      truth,
      severity,
    })),
  }),
);

interface CrawlerEventRow {
  agent: string;
  path: string;
  time: Date;
  status: number | null;
  dedupe_key: Buffer;
}

export const crawler_event = brandExporter(
  'crawler_event',
  'select agent, path, time, status, dedupe_key from crawler_events where brand_key = :brandKey',
  ['dedupe_key'],
  ({ agent, path, time, status, dedupe_key }: CrawlerEventRow, brand) =>
    stated({
      type: 'crawler_event',
      brand,
      agent,
      path,
      time: time.toISOString(),
      status,
      key: Buffer.from(dedupe_key).toString('base64url'),
    }),
);

export const visit_day = brandExporter(
  'visit_day',
  'select day as date, hash, path, visits, ai_source, country from visit_days where brand_key = :brandKey',
  ['date', 'hash'],
  ({ hash: _, ...row }: Omit<RecordOf<'visit_day'>, 'type' | 'brand'> & { hash: Buffer }, brand) => ({
    type: 'visit_day',
    brand,
    ...stated(row),
  }),
);

interface VideoRow extends Omit<RecordOf<'youtube_video'>, 'type' | 'published_at' | 'stats_as_of'> {
  published_at: Date | null;
  stats_as_of: Date | null;
}

export const youtube_video = commonExporter(
  'youtube_video',
  `select video_id, title, channel_id, channel_name, published_at, views, likes, stats_as_of
   from youtube_videos`,
  ['video_id'],
  ({ published_at, stats_as_of, ...row }: VideoRow) =>
    stated({
      type: 'youtube_video',
      ...row,
      published_at: isoOrNull(published_at),
      stats_as_of: isoOrNull(stats_as_of),
    }),
);

export const fanout_volume = commonExporter(
  'fanout_volume',
  'select hash, query, volume, measured_at from fanout_volumes',
  ['hash'],
  ({ query, volume, measured_at }: { query: string; volume: number; measured_at: Date }) => ({
    type: 'fanout_volume',
    query,
    volume,
    measured_at: measured_at.toISOString(),
  }),
);
