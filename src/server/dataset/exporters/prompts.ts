import { brandExporter, isoOrNull, stated, unlessEmpty } from './exporter.js';

interface PromptRow {
  id: string;
  text: string;
  stage: string;
  topic_id: string | null;
  tags: string[];
  active: boolean;
  created_at: Date | null;
  est_volume: number | null;
  est_volume_low: number | null;
  est_volume_high: number | null;
  volume_confidence: string | null;
  matched_gsc_query: string | null;
  gsc_impressions_28d: number | null;
}

export const prompt = brandExporter(
  'prompt',
  `select id, text, stage, topic_id, tags, active, created_at, est_volume, est_volume_low, est_volume_high,
     volume_confidence, matched_gsc_query, gsc_impressions_28d
   from prompts where brand_key = :brandKey order by id`,
  (row: PromptRow, brand) =>
    stated({
      type: 'prompt',
      id: row.id,
      brand,
      text: row.text,
      stage: row.stage,
      topic: row.topic_id,
      tags: unlessEmpty(row.tags),
      active: row.active,
      created_at: isoOrNull(row.created_at),
      est_volume: row.est_volume,
      est_volume_band: bandOf(row),
      volume_confidence: row.volume_confidence,
      matched_gsc_query: row.matched_gsc_query,
      gsc_impressions_28d: row.gsc_impressions_28d,
    }),
);

const bandOf = ({ est_volume_low: low, est_volume_high: high }: PromptRow): [number, number] | null =>
  low === null || high === null ? null : [low, high];
