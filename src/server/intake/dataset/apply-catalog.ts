/**
 * Makes what is tracked for a brand equal to a catalog, as a file states it: adds, renames, retires. Nothing is deleted: runs
 * refer to prompts, and roll-ups to competitors.
 */

import type { Knex } from 'knex';
import { ExpectedError } from '../../../contract/failure.js';
import type { plans } from '../../../contract/keys.js';
import { canonicalUrl } from '../../answers/citations/canonical-url.js';
import { normaliseDomain } from '../../answers/citations/domain.js';
import { brandKeyOf } from '../../answers/collections.js';
import { entitiesWithAliases } from '../../answers/sums/tracked-entities.js';
import { statement } from '../../base/statement.js';
import { derivedId, type Entry, foldText, idsOf, type StoredEntry, unused } from './catalog-ids.js';
import {
  type Conflict,
  conflictsIn,
  type KeptSpellings,
  keptIn,
  requireOneOwner,
  type Spellings,
  trackedOf,
} from './catalog-spellings.js';
import { type LostMentions, lostMentions, type NamedEntity } from './entity-resolution.js';
import { exportBrand } from './export.js';
import { type AfterDays, importRecords } from './import.js';
import { removeMarks } from './marks.js';
import type { RecordOf, RecordType } from './records/index.js';

export interface CatalogCompetitor extends Entry, Spellings {
  readonly was: readonly string[];
  readonly domain: string | null;
}

export interface CatalogPrompt extends Entry {
  /** The name of the topic. */
  readonly topic: string | null;
  readonly tags: readonly string[];
}

export interface CatalogMark {
  /** Null: that of the stored mark that it is, or a new one. */
  readonly id: string | null;
  readonly day: string;
  readonly text: string;
  readonly url: string | null;
  /** The texts of prompts, the names of topics, or tags; null: not stated. */
  readonly prompts: readonly string[] | null;
  readonly topics: readonly string[] | null;
  readonly tags: readonly string[] | null;
  readonly pages: readonly string[] | null;
  readonly engines: readonly string[] | null;
}

export interface Catalog {
  /** Null: the brand stays in its workspace, and a new one gets a workspace of its own. */
  readonly workspace: {
    readonly id: string;
    /** Null: as stored; of a new one, the name of the brand. */
    readonly name: string | null;
    /** Null: as stored; of a new one, the largest. */
    readonly plan: (typeof plans)[number] | null;
  } | null;
  readonly brand: Spellings & { readonly id: string; readonly name: string; readonly domain: string };
  readonly competitors: readonly CatalogCompetitor[];
  readonly prompts: readonly CatalogPrompt[];
  readonly marks: readonly CatalogMark[];
}

const TYPES = ['workspace', 'brand', 'competitor', 'topic', 'prompt', 'mark'] as const;
type CatalogRecord = RecordOf<(typeof TYPES)[number]>;

interface ChangedField {
  readonly field: string;
  /** Null: not stated. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface CatalogChange {
  /** `restore`: it was retired, and is tracked again; `remove`: only of a mark. */
  readonly action: 'add' | 'rename' | 'change' | 'retire' | 'restore' | 'remove';
  readonly type: (typeof TYPES)[number];
  readonly id: string;
  /** The name, or the text of a prompt or a mark, after the change. */
  readonly name: string;
  readonly fields: readonly ChangedField[];
}

/** A new entity that may be a stored one under another name. */
export interface LikelyRename {
  readonly type: 'brand' | 'competitor';
  readonly name: string;
  readonly former: { readonly id: string; readonly name: string };
}

interface Difference {
  readonly changes: readonly CatalogChange[];
  readonly likely: readonly LikelyRename[];
  readonly kept: readonly KeptSpellings[];
  readonly conflicts: readonly Conflict[];
  /** The records to import. */
  readonly records: readonly CatalogRecord[];
}

/** What the database would have to change to be equal to the catalog. Writes nothing. */
export async function catalogChanges(db: Knex, catalog: Catalog, now: Date): Promise<Difference> {
  const difference = differenceOf(catalog, await storedRecords(db, catalog.brand.id), now);
  const { brand } = catalog;
  if (!difference.changes.some(({ action, type }) => type === 'brand' && action === 'add')) return difference;
  const former = (await activeBrands(db, {})).find((row) => isOneSite(brand, row));
  if (former === undefined) return difference;
  const { id, name } = former;
  return { ...difference, likely: [{ type: 'brand', name: brand.name, former: { id, name } }] };
}

interface Named {
  readonly name: string;
  readonly domain?: string | null | undefined;
}

const activeBrands = statement<Named & { id: string }, Record<string, never>>(
  'active_brands',
  'select id, name, domain from brands where archived_at is null order by id',
);

function isOneSite(now: Named, before: Named): boolean {
  const [site, former] = [now, before].map(({ domain }) => normaliseDomain(domain ?? ''));
  return site !== '' && site === former;
}

/** Whether one of two names is the other with more words. */
function isLonger(now: Named, before: Named): boolean {
  const [longer, shorter] = [foldText(now.name), foldText(before.name)].sort((a, b) => b.length - a.length);
  return longer!.startsWith(`${shorter} `);
}

/** The stored mentions that the changes take from entities which stay tracked. */
export async function mentionsLostBy(db: Knex, catalog: Catalog, now: Date): Promise<LostMentions[]> {
  const { records } = await catalogChanges(db, catalog, now);
  const [brand] = await brandKeyOf(db, { id: catalog.brand.id });
  if (brand === undefined) return [];
  const { brandKey } = brand;
  const changed = new Map(
    records.flatMap((record) =>
      record.type === 'brand' || record.type === 'competitor' ? [[record.id, record] as const] : [],
    ),
  );
  const stored = await entitiesWithAliases(db, { brandKey });
  const known = new Set(stored.map(({ id }) => id));
  const added = [...changed.values()].filter(({ id }) => !known.has(id));
  const after = stored.flatMap((entity): NamedEntity[] => {
    const record = changed.get(entity.id);
    if (record === undefined) return [entity];
    return isOut(record) ? [] : [{ ...entity, name: record.name, aliases: record.aliases ?? [] }];
  });
  return lostMentions(db, brandKey, [
    ...after,
    ...added.map(({ id, name, aliases }, at) => ({ entity: -1 - at, id, name, aliases: aliases ?? [] })),
  ]);
}

const MOVED = 'The database changed in the meantime, and nothing was written. Look at the changes again.';

/**
 * Writes the changes, all or none.
 * @param expected The changes that were shown.
 * @param afterDays As of an import: changed names change stored days.
 * @throws ExpectedError if the database changed since then, DatasetError
 */
export async function applyCatalog(
  db: Knex,
  catalog: Catalog,
  {
    now,
    expected,
    afterDays,
  }: { readonly now: Date; readonly expected: readonly CatalogChange[]; readonly afterDays: AfterDays },
): Promise<void> {
  const { changes, records, conflicts } = await catalogChanges(db, catalog, now);
  requireOneOwner(conflicts);
  if (JSON.stringify(changes) !== JSON.stringify(expected)) throw new ExpectedError('unexpected', MOVED);
  if (records.length > 0) await importRecords(db, records, { now, afterDays });
  const removed = changes.filter(({ action }) => action === 'remove').map(({ id }) => id);
  if (removed.length > 0) await removeMarks(db, catalog.brand.id, removed);
}

const everyWorkspace = statement<Omit<RecordOf<'workspace'>, 'type'>, Record<string, never>>(
  'every_workspace',
  'select id, name, plan from workspaces order by id',
);

async function storedRecords(db: Knex, brand: string): Promise<CatalogRecord[]> {
  const records: CatalogRecord[] = (await everyWorkspace(db, {})).map((row) => ({
    type: 'workspace',
    ...row,
  }));
  const ofBrand = TYPES.filter((type) => type !== 'workspace');
  for await (const record of exportBrand(db, brand, ofBrand)) records.push(record as CatalogRecord);
  return records;
}

/** The operator of a server is refused nothing. */
const OWN_PLAN = 'enterprise';

/** @param stored The records of the brand, and all workspaces; of a brand that does not exist, only these. */
export function differenceOf(catalog: Catalog, stored: readonly CatalogRecord[], now: Date): Difference {
  const of = <T extends RecordType>(type: T) =>
    stored.filter((record) => record.type === type) as RecordOf<T>[];
  const { brand } = catalog;
  const [storedBrand] = of('brand');
  const workspaceId = catalog.workspace?.id ?? storedBrand?.workspace ?? brand.id;
  const owner = of('workspace').find(({ id }) => id === workspaceId);
  const created_at = now.toISOString();
  const { ids, entities } = trackedOf(brand, catalog.competitors, storedBrand, of('competitor'));
  const topics = topicsOf(catalog, of('topic'));
  const topicOf = new Map(topics.map(({ id, name }) => [foldText(name), id]));
  const prompts = promptsOf(catalog, of('prompt'), topicOf);
  const marks = marksOf(catalog, of('mark'), prompts, topicOf);
  const wanted: CatalogRecord[] = [
    {
      type: 'workspace',
      id: workspaceId,
      name: catalog.workspace?.name ?? owner?.name ?? brand.name,
      plan: catalog.workspace?.plan ?? owner?.plan ?? OWN_PLAN,
    },
    {
      type: 'brand',
      ...storedBrand,
      workspace: workspaceId,
      id: brand.id,
      name: brand.name,
      domain: brand.domain,
      aliases: listed(entities[0]!.spellings),
    },
    ...competitorsOf(catalog, of('competitor'), { ids, entities: entities.slice(1), retired_at: created_at }),
    ...topics,
    ...prompts,
    ...marks,
  ] as CatalogRecord[];
  const before = new Map(stored.map((record) => [keyOf(record), record]));
  const topicNames = new Map([...of('topic'), ...topics].map(({ id, name }) => [id, name]));
  const records: CatalogRecord[] = [];
  const changes: CatalogChange[] = [];
  for (const record of wanted) {
    const known = before.get(keyOf(record));
    const change = changeOf(known, record, topicNames);
    if (change === null) continue;
    changes.push(change);
    records.push(
      known === undefined &&
        (record.type === 'brand' || record.type === 'competitor' || record.type === 'prompt')
        ? { ...record, created_at }
        : record,
    );
  }
  for (const { id, text, planned } of of('mark'))
    if (planned && !marks.some((each) => each.id === id))
      changes.push({ action: 'remove', type: 'mark', id, name: text, fields: [] });
  return {
    changes,
    records,
    kept: keptIn(entities),
    conflicts: conflictsIn(entities),
    likely: likelyIn(catalog.competitors, ids, of('competitor')),
  };
}

/** The competitors that are new beside one that the file does not name any more. */
function likelyIn(
  competitors: readonly CatalogCompetitor[],
  ids: readonly string[],
  stored: readonly RecordOf<'competitor'>[],
): LikelyRename[] {
  const known = new Set(stored.map(({ id }) => id));
  const left = stored.filter(({ id, retired_at }) => retired_at == null && !ids.includes(id));
  return competitors.flatMap(({ text: name, domain }, at): LikelyRename[] => {
    const isLikely = (each: Named) => isOneSite({ name, domain }, each) || isLonger({ name, domain }, each);
    const former = known.has(ids[at]!) ? undefined : left.find(isLikely);
    return former ? [{ type: 'competitor', name, former: { id: former.id, name: former.name } }] : [];
  });
}

const keyOf = ({ type, id }: CatalogRecord): string => `${type} ${id}`;

/** An empty list is not stated, as in exports. */
const listed = (texts: readonly string[]): string[] | undefined =>
  texts.length === 0 ? undefined : [...texts];

function competitorsOf(
  { brand, competitors }: Catalog,
  stored: readonly RecordOf<'competitor'>[],
  {
    ids,
    entities,
    retired_at,
  }: Pick<ReturnType<typeof trackedOf>, 'ids' | 'entities'> & { retired_at: string },
): RecordOf<'competitor'>[] {
  const kept = competitors.map(({ domain }, at) => {
    const { id, name, spellings } = entities[at]!;
    return {
      ...stored.find((known) => known.id === id),
      type: 'competitor' as const,
      id,
      brand: brand.id,
      name,
      domain: domain ?? undefined,
      aliases: listed(spellings),
      retired_at: undefined,
    };
  });
  const left = stored.filter(({ id }) => !ids.includes(id));
  return [...kept, ...left.map((each) => ({ ...each, retired_at: each.retired_at ?? retired_at }))];
}

/** The topics that the prompts name. Others stay, because retired prompts have them. */
function topicsOf({ brand, prompts }: Catalog, stored: readonly RecordOf<'topic'>[]): RecordOf<'topic'>[] {
  const named = prompts.flatMap(({ topic }) => topic ?? []);
  // The first of several ways to write a topic counts.
  const names = [...new Map(named.toReversed().map((name) => [foldText(name), name])).values()].toReversed();
  const rows = stored.map(({ id, name }): StoredEntry => ({ id, text: name, isRetired: false }));
  const ids = idsOf(
    names.map((text) => ({ text, was: [] })),
    rows,
  );
  return names.map((name, at) => ({ type: 'topic', id: ids[at]!, brand: brand.id, name }));
}

function promptsOf(
  { brand, prompts }: Catalog,
  stored: readonly RecordOf<'prompt'>[],
  topicOf: ReadonlyMap<string, string>,
): RecordOf<'prompt'>[] {
  const rows = stored.map(({ id, text, active }): StoredEntry => ({ id, text, isRetired: active === false }));
  const ids = idsOf(prompts, rows);
  const known = new Map(stored.map((record) => [record.id, record]));
  const kept = prompts.map(({ text, topic, tags }, at) => ({
    ...known.get(ids[at]!),
    type: 'prompt' as const,
    id: ids[at]!,
    brand: brand.id,
    text,
    tags: listed(tags),
    active: true,
    topic: topic === null ? undefined : topicOf.get(foldText(topic))!,
  }));
  const claimed = new Set(ids);
  const left = stored.filter(({ id }) => !claimed.has(id));
  return [...kept, ...left.map((each) => ({ ...each, active: false }))];
}

type MarkRecord = RecordOf<'mark'>;

/** The stored mark that an entry is, the surest sign first: a mark that only the database has is one only by its id, or whole. */
const IS_MARK: readonly ((entry: CatalogMark, stored: MarkRecord) => boolean)[] = [
  (entry, { id }) => entry.id === id,
  (entry, { text, day }) => entry.text === text && entry.day === day,
  (entry, { text, planned }) => planned === true && entry.text === text,
  (entry, { day, planned }) => planned === true && entry.day === day,
];

function markIds(entries: readonly CatalogMark[], stored: readonly MarkRecord[]): string[] {
  const ids = new Map<CatalogMark, string>();
  const taken = new Set(entries.flatMap(({ id }) => id ?? []));
  for (const isMark of IS_MARK)
    for (const entry of entries) {
      const found = stored.find((each) => isMark(entry, each) && !taken.has(each.id));
      if (entry.id !== null || ids.has(entry) || !found) continue;
      ids.set(entry, found.id);
      taken.add(found.id);
    }
  for (const { id } of stored) taken.add(id);
  return entries.map((entry) => {
    const known = entry.id ?? ids.get(entry) ?? unused(derivedId(`${entry.text} ${entry.day}`), taken);
    taken.add(known);
    return known;
  });
}

/** @param prompts, topicOf What the marks name by text. */
function marksOf(
  { brand, marks }: Catalog,
  stored: readonly MarkRecord[],
  prompts: readonly RecordOf<'prompt'>[],
  topicOf: ReadonlyMap<string, string>,
): MarkRecord[] {
  const promptOf = new Map(prompts.map(({ id, text }) => [foldText(text), id]));
  const ids = markIds(marks, stored);
  const named = (names: readonly string[] | null, of: ReadonlyMap<string, string>) =>
    names?.flatMap((each) => of.get(foldText(each)) ?? []);
  return marks.map(({ day, text, url, prompts, topics, tags, pages, engines }, at) => ({
    type: 'mark' as const,
    id: ids[at]!,
    brand: brand.id,
    day,
    text,
    url: url ?? undefined,
    prompts: named(prompts, promptOf),
    topics: named(topics, topicOf),
    tags: listed(tags ?? []),
    pages: listed((pages ?? []).map((each) => canonicalUrl(each).url)),
    engines: listed(engines ?? []),
    planned: true as const,
  }));
}

// What a record changes.

/** The fields that a catalog states, in the order in which changes list them. */
const COMPARED = [
  ...['name', 'text', 'plan', 'workspace', 'domain', 'aliases', 'topic', 'tags'],
  ...['day', 'url', 'prompts', 'topics', 'pages', 'engines'],
] as const;
type Fields = { readonly [field in (typeof COMPARED)[number]]?: string | readonly string[] | null };

/** Null: the record is stored like this. */
function changeOf(
  before: CatalogRecord | undefined,
  record: CatalogRecord,
  topics: ReadonlyMap<string, string>,
): CatalogChange | null {
  const name = 'text' in record ? record.text : record.name;
  const head = { type: record.type, id: record.id, name };
  const written = (each: object | undefined, field: keyof Fields) => {
    const value = (each as Fields | undefined)?.[field];
    if (value == null || value.length === 0) return null;
    if (field === 'topic') return topics.get(String(value)) ?? String(value);
    return typeof value === 'string' ? value : value.map((each) => JSON.stringify(each)).join(', ');
  };
  const fields = COMPARED.flatMap((field): ChangedField[] => {
    const [from, to] = [written(before, field), written(record, field)];
    return from === to ? [] : [{ field, before: from, after: to }];
  });
  if (before === undefined) return { action: 'add', ...head, fields };
  const [wasRetired, isRetired] = [isOut(before), isOut(record)];
  if (isRetired) return wasRetired ? null : { action: 'retire', ...head, fields: [] };
  if (wasRetired) return { action: 'restore', ...head, fields };
  if (fields.length === 0) return null;
  const isRenamed =
    record.type !== 'mark' && fields.some(({ field }) => field === 'name' || field === 'text');
  return { action: isRenamed ? 'rename' : 'change', ...head, fields };
}

const isOut = (record: CatalogRecord): boolean =>
  record.type === 'prompt'
    ? record.active === false
    : record.type === 'competitor' && record.retired_at != null;
