/** Records of what is tracked: workspaces, brands, competitors, prompts and their groups. */
import { z } from 'zod';
import { plans } from '../../../contract/keys.js';
import { counted, domain, id, name, optional, record, text, time, volume } from './fields.js';

export const workspace = record('workspace', { id, name, plan: z.enum(plans) });

export const brand = record('brand', {
  id,
  workspace: id,
  name,
  domain,
  aliases: optional(z.array(name)),
  created_at: optional(time),
  archived_at: optional(time),
  last_event_at: optional(time),
});

export const competitor = record('competitor', {
  id,
  brand: id,
  name,
  domain: optional(z.union([domain, z.literal('')], 'expected a host or host:port')),
  aliases: optional(z.array(name)),
  created_at: optional(time),
});

export const topic = record('topic', { id, brand: id, name });

export const prompt = record('prompt', {
  id,
  brand: id,
  text: name,
  stage: optional(text),
  topic: optional(id),
  tags: optional(z.array(text)),
  active: optional(z.boolean()),
  created_at: optional(time),
  est_volume: optional(volume),
  est_volume_band: optional(
    z.tuple([volume, volume]).refine(([low, high]) => low <= high, 'expected the lower bound first'),
  ),
  volume_confidence: optional(text),
  matched_gsc_query: optional(text),
  gsc_impressions_28d: optional(counted),
});

export const tagGroup = record('tag_group', {
  id,
  brand: id,
  name,
  color: z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'expected a colour #rrggbb'),
  tags: z.array(text),
  created_at: optional(time),
});

export const reclassification = record('reclassification', {
  workspace: id,
  domain,
  classification: name,
});

export const knowledgeBase = record('knowledge_base', { brand: id, text });
