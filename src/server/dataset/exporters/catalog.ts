/** Exporters of what is tracked: workspaces, brands, competitors, topics, prompts and more. */
import type { Plan } from '../../../contract/keys.js';
import { brandExporter, commonExporter, isoOrNull, stated, unlessEmpty } from './exporter.js';

export const workspace = commonExporter(
  'workspace',
  'select id, name, plan from workspaces',
  ['id'],
  (row: { id: string; name: string; plan: Plan }) => ({ type: 'workspace', ...row }),
);

interface BrandRow {
  id: string;
  workspace_id: string;
  name: string;
  domain: string;
  aliases: string[];
  created_at: Date | null;
  archived_at: Date | null;
  last_event_at: Date | null;
}

export const brand = commonExporter(
  'brand',
  `select b.id, b.workspace_id, b.name, b.domain, b.aliases, b.created_at, b.archived_at, c.last_event_at
   from brands b left join crawler_connections c on c.brand_key = b.brand_key`,
  ['id'],
  (row: BrandRow) =>
    stated({
      type: 'brand',
      id: row.id,
      workspace: row.workspace_id,
      name: row.name,
      domain: row.domain,
      aliases: unlessEmpty(row.aliases),
      created_at: isoOrNull(row.created_at),
      archived_at: isoOrNull(row.archived_at),
      last_event_at: isoOrNull(row.last_event_at),
    }),
);

export const reclassification = commonExporter(
  'reclassification',
  'select workspace_id as workspace, domain, classification from reclassifications',
  ['workspace', 'domain'],
  (row: { workspace: string; domain: string; classification: string }) => ({
    type: 'reclassification',
    ...row,
  }),
);

interface CompetitorRow {
  id: string;
  name: string;
  domain: string;
  aliases: string[];
  created_at: Date | null;
}

export const competitor = brandExporter(
  'competitor',
  'select id, name, domain, aliases, created_at from competitors where brand_key = :brandKey',
  ['id'],
  (row: CompetitorRow, brand) =>
    stated({
      type: 'competitor',
      id: row.id,
      brand,
      name: row.name,
      domain: row.domain || null,
      aliases: unlessEmpty(row.aliases),
      created_at: isoOrNull(row.created_at),
    }),
);

export const topic = brandExporter(
  'topic',
  'select id, name from topics where brand_key = :brandKey',
  ['id'],
  ({ id, name }: { id: string; name: string }, brand) => ({ type: 'topic', id, brand, name }),
);

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
   from prompts where brand_key = :brandKey`,
  ['id'],
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

interface TagGroupRow {
  id: string;
  name: string;
  color: string;
  tags: string[];
  created_at: Date | null;
}

export const tag_group = brandExporter(
  'tag_group',
  'select id, name, color, tags, created_at from tag_groups where brand_key = :brandKey',
  ['id'],
  ({ id, name, color, tags, created_at }: TagGroupRow, brand) =>
    stated({ type: 'tag_group', id, brand, name, color, tags, created_at: isoOrNull(created_at) }),
);

export const knowledge_base = brandExporter(
  'knowledge_base',
  'select text from knowledge_bases where brand_key = :brandKey',
  [],
  ({ text }: { text: string }, brand) => ({ type: 'knowledge_base', brand, text }),
);
