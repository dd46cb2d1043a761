/** Records of what is tracked: workspaces, brands, competitors, prompts and their groups. */
import { z } from 'zod';
import { plans } from '../../../../contract/keys.js';
import { canonicalUrl } from '../../../answers/citations/canonical-url.js';
import { normaliseDomain } from '../../../answers/citations/domain.js';
import {
  countField,
  day,
  domain,
  engine,
  id,
  isoTime,
  name,
  optional,
  text,
  volume,
  webPage,
} from '../../../base/fields.js';
import type { ImportedBrand } from '../brand-catalog.js';
import { noteConnection } from '../session.js';
import { field, ofBrand, optionalNames, optionalTexts, optionalTimestamp, recordType } from './table.js';

/** A first day that another table has. An export has it, so that days before it are not measured elsewhere either. */
const sinceDay = (column: string, join?: string) => ({
  schema: optional(day),
  column: null,
  select: `g.${column}`,
  ...(join !== undefined && { join }),
});
const gapsOf = (entity: string) =>
  `left join name_gaps g on g.brand_key = x.brand_key and g.entity = ${entity}`;

export const workspace = recordType('workspace', {
  table: 'workspaces',
  key: ['id'],
  fields: { id, name, plan: z.enum(plans) },
  note: (record, _, session) => session.touchedWorkspaces.add(record.id),
});

const ofWorkspace = field(id, { column: 'workspace_id' });

type Since = Readonly<
  Partial<Record<'measured_since' | 'spelled_since' | 'cited_since', string | null | undefined>>
>;

function noteGap(brand: ImportedBrand, entity: number, since: Since): void {
  const { measured_since: measured = null, spelled_since: spelled = null, cited_since: cited = null } = since;
  if (measured ?? spelled ?? cited) brand.statedGaps.set(entity, { measured, spelled, cited });
}

export const brand = recordType('brand', {
  table: 'brands',
  key: ['brand_key'],
  order: ['id'],
  keeps: ['created_at'],
  ref: 'workspace',
  observedAt: 'last_event_at',
  fields: {
    id,
    workspace: ofWorkspace,
    name,
    domain,
    aliases: optionalNames,
    created_at: optionalTimestamp,
    archived_at: optionalTimestamp,
    last_event_at: {
      ...optionalTimestamp,
      column: null,
      select: 'c.last_event_at',
      join: 'left join crawler_connections c on c.brand_key = x.brand_key',
    },
    spelled_since: sinceDay('spelled_since', gapsOf('0')),
  },
  columns: (_, brand) => ({ brand_key: brand.key }),
  note: (record, brand, session) => {
    noteGap(brand, 0, record);
    if (record.last_event_at != null) noteConnection(session, brand.key, isoTime(record.last_event_at));
  },
});

export const competitor = recordType('competitor', {
  table: 'competitors',
  key: ['id'],
  keeps: ['created_at'],
  fields: {
    id,
    brand: ofBrand,
    name,
    domain: field(optional(z.union([domain, z.literal('')], 'expected a host or host:port')), {
      fallback: '',
      read: (stored: string) => stored || null,
    }),
    aliases: optionalNames,
    created_at: optionalTimestamp,
    retired_at: optionalTimestamp,
    measured_since: sinceDay('measured_since', gapsOf('x.entity')),
    spelled_since: sinceDay('spelled_since'),
    cited_since: sinceDay('cited_since'),
  },
  columns: (record, brand, session) => ({ entity: session.brands.competitorEntity(brand, record.id) }),
  note: (record, brand, session) => noteGap(brand, session.brands.competitorEntity(brand, record.id), record),
});

export const topic = recordType('topic', {
  table: 'topics',
  key: ['id'],
  fields: { id, brand: ofBrand, name },
});

export const prompt = recordType('prompt', {
  table: 'prompts',
  key: ['id'],
  keeps: ['created_at'],
  ref: 'topic',
  fields: {
    id,
    brand: ofBrand,
    text: name,
    stage: field(optional(text), { fallback: '—' }),
    topic: field(optional(id), { column: 'topic_id' }),
    tags: optionalTexts,
    active: field(optional(z.boolean()), { fallback: true }),
    created_at: optionalTimestamp,
    est_volume: optional(volume),
    est_volume_band: field(
      optional(
        z.tuple([volume, volume]).refine(([low, high]) => low <= high, 'expected the lower bound first'),
      ),
      {
        column: null,
        select: 'array[x.est_volume_low, x.est_volume_high]',
        read: ([low, high]: readonly [number | null, number | null]): [number, number] | null =>
          low === null || high === null ? null : [low, high],
      },
    ),
    volume_confidence: optional(text),
    matched_gsc_query: optional(text),
    gsc_impressions_28d: optional(countField),
  },
  columns: ({ id, est_volume_band }, brand, session) => ({
    prompt_key: session.brands.promptKey(brand, id),
    est_volume_low: est_volume_band?.[0] ?? null,
    est_volume_high: est_volume_band?.[1] ?? null,
  }),
});

export const tagGroup = recordType('tag_group', {
  table: 'tag_groups',
  key: ['id'],
  keeps: ['created_at'],
  fields: {
    id,
    brand: ofBrand,
    name,
    color: z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'expected a colour #rrggbb'),
    tags: z.array(text),
    created_at: optionalTimestamp,
  },
});

export const reclassification = recordType('reclassification', {
  table: 'reclassifications',
  key: ['workspace', 'domain'],
  ref: 'workspace',
  fields: { workspace: ofWorkspace, domain: field(domain, { write: normaliseDomain }), classification: name },
  note: (record, _, session) => session.touchedWorkspaces.add(record.workspace),
});

export const knowledgeBase = recordType('knowledge_base', {
  table: 'knowledge_bases',
  key: [],
  fields: { brand: ofBrand, text },
});

/** The lists that may say which prompts a mark is about: one of them at most. */
export const markChoices = ['prompts', 'topics', 'tags'] as const;
export const ONE_CHOICE = `expected one of ${markChoices.join(', ')} at most`;

export const hasOneChoice = (
  mark: Readonly<Partial<Record<(typeof markChoices)[number], unknown>>>,
): boolean => markChoices.filter((choice) => mark[choice] != null).length <= 1;

/** A list that is not empty; null: not stated. */
const someOf = <S extends z.ZodType>(item: S) =>
  optional(z.array(item).min(1, 'expected one entry at least'));

const markRecord = recordType('mark', {
  table: 'marks',
  key: ['id'],
  fields: {
    id,
    brand: ofBrand,
    day,
    text: name,
    url: optional(webPage),
    prompts: someOf(id),
    topics: someOf(id),
    tags: someOf(name),
    pages: field(someOf(webPage), {
      write: (urls) => [...new Set(urls.map((url) => canonicalUrl(url).url))],
    }),
    engines: someOf(engine),
    planned: field(optional(z.literal(true)), { fallback: false, read: (stored: boolean) => stored || null }),
  },
});

/** What somebody did on a day, and for which prompts. */
export const mark: typeof markRecord = {
  ...markRecord,
  schema: markRecord.schema.refine(hasOneChoice, ONE_CHOICE),
};
