/** Writers of what is tracked: workspaces, brands, competitors, topics, prompts and more. */
import { normaliseDomain } from '../../citations/domain.js';
import { isoTime } from '../records/fields.js';
import { noteConnection } from '../session.js';
import { tableWriter, timeOrNull } from './upsert.js';

export const workspace = tableWriter('workspace', {
  table: 'workspaces',
  key: ['id'],
  row: ({ id, name, plan }) => ({ id, name, plan }),
  note: ({ id }, _, session) => session.touchedWorkspaces.add(id),
});

export const brand = tableWriter('brand', {
  table: 'brands',
  key: ['brand_key'],
  keeps: ['created_at'],
  ref: (record) => record.workspace,
  row: (record, brand) => ({
    brand_key: brand.key,
    id: record.id,
    workspace_id: record.workspace,
    name: record.name,
    domain: record.domain,
    aliases: record.aliases ?? [],
    created_at: timeOrNull(record.created_at),
    archived_at: timeOrNull(record.archived_at),
  }),
  note: (record, brand, session) => {
    if (record.last_event_at != null) noteConnection(session, brand.key, isoTime(record.last_event_at));
  },
});

export const competitor = tableWriter('competitor', {
  table: 'competitors',
  key: ['brand_key', 'id'],
  keeps: ['created_at'],
  row: (record, brand, session) => ({
    brand_key: brand.key,
    id: record.id,
    entity: session.brands.competitorEntity(brand, record.id),
    name: record.name,
    domain: record.domain ?? '',
    aliases: record.aliases ?? [],
    created_at: timeOrNull(record.created_at),
  }),
});

export const topic = tableWriter('topic', {
  table: 'topics',
  key: ['brand_key', 'id'],
  row: ({ id, name }, brand) => ({ brand_key: brand.key, id, name }),
});

export const prompt = tableWriter('prompt', {
  table: 'prompts',
  key: ['brand_key', 'id'],
  keeps: ['created_at'],
  ref: (record) => record.topic,
  row: (record, brand, session) => ({
    brand_key: brand.key,
    id: record.id,
    prompt_key: session.brands.promptKey(brand, record.id),
    text: record.text,
    stage: record.stage ?? '—',
    topic_id: record.topic ?? null,
    tags: record.tags ?? [],
    active: record.active ?? true,
    created_at: timeOrNull(record.created_at),
    est_volume: record.est_volume ?? null,
    est_volume_low: record.est_volume_band?.[0] ?? null,
    est_volume_high: record.est_volume_band?.[1] ?? null,
    volume_confidence: record.volume_confidence ?? null,
    matched_gsc_query: record.matched_gsc_query ?? null,
    gsc_impressions_28d: record.gsc_impressions_28d ?? null,
  }),
});

export const tag_group = tableWriter('tag_group', {
  table: 'tag_groups',
  key: ['brand_key', 'id'],
  keeps: ['created_at'],
  row: (record, brand) => ({
    brand_key: brand.key,
    id: record.id,
    name: record.name,
    color: record.color,
    tags: record.tags,
    created_at: timeOrNull(record.created_at),
  }),
});

export const reclassification = tableWriter('reclassification', {
  table: 'reclassifications',
  key: ['workspace_id', 'domain'],
  ref: (record) => record.workspace,
  row: (record) => ({
    workspace_id: record.workspace,
    domain: normaliseDomain(record.domain),
    classification: record.classification,
  }),
  note: (record, _, session) => session.touchedWorkspaces.add(record.workspace),
});

export const knowledge_base = tableWriter('knowledge_base', {
  table: 'knowledge_bases',
  key: ['brand_key'],
  row: ({ text }, brand) => ({ brand_key: brand.key, text }),
});
