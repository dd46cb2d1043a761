/** What is tracked: workspaces, brands, competitors, topics, prompts, tag groups, reclassifications, knowledge. */
import type { Plan } from '../../../contract/plans.js';
import { brandExporter, commonExporter, isoOrNull, stated, unlessEmpty } from './exporter.js';

export const workspace = commonExporter(
  'workspace',
  'select id, name, plan from workspaces order by id',
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
   from brands b left join crawler_connections c using (brand_key) order by b.id`,
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
  'select workspace_id as workspace, domain, classification from reclassifications order by workspace_id, domain',
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
  'select id, name, domain, aliases, created_at from competitors where brand_key = :brandKey order by id',
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
  'select id, name from topics where brand_key = :brandKey order by id',
  ({ id, name }: { id: string; name: string }, brand) => ({ type: 'topic', id, brand, name }),
);

interface TagGroupRow {
  id: string;
  name: string;
  color: string;
  tags: string[];
  created_at: Date | null;
}

export const tagGroup = brandExporter(
  'tag_group',
  'select id, name, color, tags, created_at from tag_groups where brand_key = :brandKey order by id',
  ({ id, name, color, tags, created_at }: TagGroupRow, brand) =>
    stated({ type: 'tag_group', id, brand, name, color, tags, created_at: isoOrNull(created_at) }),
);

export const knowledgeBase = brandExporter(
  'knowledge_base',
  'select text from knowledge_bases where brand_key = :brandKey',
  ({ text }: { text: string }, brand) => ({ type: 'knowledge_base', brand, text }),
);
