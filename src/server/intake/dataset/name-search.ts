/**
 * Searches stored answers for names that were added after they were collected, the newest day first. Each batch is a transaction of
 * its own that notes how far the search is, so that it goes on where it stopped, and several servers search each answer once.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { bumpStoredVersion, bumpVersion } from '../../accounts/brands.js';
import { writeDailyStats } from '../../answers/daily-stats.js';
import { type EntityWithAliases, entitiesWithAliases } from '../../answers/sums/tracked-entities.js';
import { addDays, utcDay } from '../../base/days.js';
import { statement } from '../../base/statement.js';
import { liftTimeLimits } from '../../database/connections.js';
import type { ImportedBrand } from './brand-catalog.js';
import { Dictionary } from './dictionary.js';
import { resolveNames } from './entity-resolution.js';
import { ensureImportLock, lockImports, tryHoldImports } from './import-locks.js';
import { mentionsWith, type StoredMention } from './mentions.js';
import { noteNamesSince, prunedUntil } from './name-gaps.js';
import { probe } from './probes.js';
import { rebuildDays } from './rollups/rebuild.js';

/** Answers of a batch at most. */
export const BATCH_ANSWERS = 1000;

interface StoredRun {
  id: string;
  names: number[];
  orders: number[];
  tones: (number | null)[];
  evidence: (string | null)[];
  /** Null: the text is not stored. */
  answer: string | null;
}

const OF_RUN = 'id, m_name, m_order, m_tone, m_evidence, tracked_names';

/** What is searched of runs. @param runs A sub-query of these with the columns above. */
const searched = (runs: string): string => `
  select r.id, r.m_name as names, r.m_order as orders, r.m_tone as tones, r.m_evidence as evidence, a.answer
  from ${runs} r left join lateral ${probe('run_answers', 'answer', 'run_id', 'r.id')} a on true
  where r.tracked_names`;

/** The runs of a day, the greatest id first, as the index has them. */
const runsOfDay = statement<StoredRun, { brandKey: number; day: string; after: string | null; rows: number }>(
  'searched_runs_of_day',
  searched(`(
    select ${OF_RUN} from runs where brand_key = :brandKey and day >= :day and day <= :day and tracked_names
      and id < coalesce(cast(:after as text), chr(1114111)) collate "C"
    order by day desc, id desc limit :rows
  )`),
);

const runsWithIds = statement<StoredRun, { brandKey: number; ids: readonly string[] }>(
  'searched_runs_with_ids',
  `${searched(`(
    select r.* from unnest(cast(:ids as text[])) as s(id)
    cross join lateral ${probe('runs', OF_RUN, 'id', 's.id collate "C"')} r
  )`)}`,
);

const namesWithKeys = statement<{ key: number; name: string }, { brandKey: number; keys: readonly number[] }>(
  'names_with_keys',
  'select name_key as key, name from mention_names where brand_key = :brandKey and name_key = any(:keys)',
);

const setMentions = statement<never, { brandKey: number; first: string; last: string; found: string }>(
  'set_mentions',
  `update runs r set m_name = f.names, m_order = f.orders, m_tone = f.tones, m_evidence = f.evidence
   from json_to_recordset(cast(:found as json))
     as f(id text, names integer[], orders integer[], tones smallint[], evidence text[])
   where r.brand_key = :brandKey and r.id = f.id collate "C" and r.id between :first and :last`,
);

const tracksOf = (entities: readonly EntityWithAliases[]): string[][] =>
  entities.map(({ name, aliases }) => [name, ...aliases]);

/** Stores what the texts of some runs mention of the names that are tracked now. Runs without a text stay as they are. */
async function searchRuns(
  trx: Knex.Transaction,
  names: Dictionary,
  brandKey: number,
  entities: readonly EntityWithAliases[],
  runs: readonly StoredRun[],
): Promise<void> {
  const keys = [...new Set(runs.flatMap((run) => run.names))];
  const known = new Map((await namesWithKeys(trx, { brandKey, keys })).map(({ key, name }) => [key, name]));
  const tracked = tracksOf(entities);
  const found = runs.flatMap((run) => {
    if (run.answer === null) return [];
    const stored = run.names.map(
      (key, at): StoredMention => ({
        name: known.get(key)!,
        order: run.orders[at]!,
        tone: run.tones[at]!,
        evidence: run.evidence[at]!,
      }),
    );
    const mentions = mentionsWith(run.answer, stored, tracked);
    return isDeepStrictEqual(mentions, stored) ? [] : [{ id: run.id, mentions }];
  });
  if (found.length === 0) return;
  names.forgetIfFull();
  await names.ensure(
    brandKey,
    found.flatMap(({ mentions }) => mentions.map(({ name }) => name)),
  );
  const rows = found.map(({ id, mentions }) => ({
    id,
    names: mentions.map(({ name }) => names.keyOf(brandKey, name)),
    orders: mentions.map(({ order }) => order),
    tones: mentions.map(({ tone }) => tone),
    evidence: mentions.map(({ evidence }) => evidence),
  }));
  const ids = rows.map(({ id }) => id).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  await setMentions(trx, { brandKey, first: ids[0]!, last: ids.at(-1)!, found: JSON.stringify(rows) });
}

/**
 * Searches the answers of an import for names that were added since they were collected. Must run before its names
 * are resolved.
 */
export async function searchImported(
  trx: Knex.Transaction,
  names: Dictionary,
  brand: ImportedBrand,
  entities: readonly EntityWithAliases[],
): Promise<void> {
  if (!brand.hasTrackedNames) return;
  const { key: brandKey, addedRuns, replacedDays } = brand;
  for (const day of new Set([...replacedDays, ...addedRuns.keys()])) {
    const { count, ids } = addedRuns.get(day) ?? { count: 0, ids: [] };
    if (count === ids.length && !replacedDays.has(day)) {
      await searchRuns(trx, names, brandKey, entities, await runsWithIds(trx, { brandKey, ids }));
      continue;
    }
    for (let after: string | null = null, isMore = true; isMore; ) {
      const page: StoredRun[] = await runsOfDay(trx, { brandKey, day, after, rows: BATCH_ANSWERS });
      await searchRuns(trx, names, brandKey, entities, page);
      after = page.at(-1)?.id ?? null;
      isMore = page.length === BATCH_ANSWERS;
    }
  }
}

// The search of what was stored before.

/** How far the search of a brand is. */
export interface NameSearch {
  readonly key: number;
  /** The id of the brand. */
  readonly brand: string;
  /** Answers of this day and later are searched. */
  readonly day: string;
}

/** The brands whose stored answers are to be searched. */
export const nameSearches = statement<NameSearch, Record<string, never>>(
  'name_searches',
  `select v.brand_key as key, b.id as brand, v.search_day as day
   from brand_versions v join brands b on b.brand_key = v.brand_key where v.search_day is not null order by b.id`,
);

/** Where the search of a brand is; no row: the brand has no data. */
const searchPosition = statement<{ day: string | null; after: string | null }, { brandKey: number }>(
  'name_search_position',
  'select search_day as day, search_after as after from brand_versions where brand_key = :brandKey',
);

/** The days before one that have such runs, and whose runs are all stored, the newest first. */
const daysToSearch = statement<{ day: string }, { brandKey: number; before: string; since: string | null }>(
  'days_to_search',
  `select distinct day from day_scope
   where brand_key = :brandKey and day < cast(:before as date) and tracked_runs > 0
     and day >= coalesce(cast(:since as date), date '-infinity')
   order by day desc`,
);

const setProgress = statement<never, { brandKey: number; day: string | null; after: string | null }>(
  'set_name_search',
  `update brand_versions set search_day = cast(:day as date), search_after = cast(:after as text)
   where brand_key = :brandKey`,
);

interface Reached {
  readonly brandKey: number;
  /** All answers from this day on are searched; null: all. */
  readonly day: string | null;
  readonly entities: readonly number[];
}

/** No gap ends later than the search is. An entity that was tracked before has nothing left to search when that day is reached. */
const moveGaps = statement<never, Reached & Record<string, unknown>>(
  'move_name_gaps',
  `update name_gaps set
     measured_since = case when cast(:day as date) > coalesce(kept_before, date '-infinity')
       then least(measured_since, case when measured_since is not null then cast(:day as date) end) end,
     spelled_since = case when cast(:day as date) is not null
       then least(spelled_since, case when spelled_since is not null then cast(:day as date) end) end
   where brand_key = :brandKey and entity = any(:entities)`,
);

const dropClosedGaps = statement<{ entity: number }, { brandKey: number }>(
  'drop_closed_name_gaps',
  `delete from name_gaps where brand_key = :brandKey
   and measured_since is null and spelled_since is null and cited_since is null`,
);

/** Whether an entity has a gap that a search may close. */
const hasGaps = statement<{ found: boolean }, { brandKey: number; entities: readonly number[] }>(
  'has_name_gaps',
  `select exists (
     select 1 from name_gaps where brand_key = :brandKey and entity = any(:entities)
       and (measured_since is not null or spelled_since is not null)
   ) as found`,
);

/** What a batch did. */
export interface Searched {
  readonly answers: number;
  /** All answers from this day on are searched. */
  readonly day: string;
  /** Days that are left. */
  readonly left: number;
}

interface SearchOptions {
  readonly now: Date;
  /** Whether to wait for imports of the brand; else nothing is done while one runs. */
  readonly waits: boolean;
}

/** Searches the next batch of a brand. Null: nothing is left to search, or somebody else has the brand. */
export async function searchBatch(
  db: Knex,
  brandKey: number,
  { now, waits }: SearchOptions,
): Promise<Searched | null> {
  await ensureImportLock(db, { brandKey });
  return db.transaction(async (trx) => {
    await liftTimeLimits(trx);
    if (waits) await lockImports(trx, brandKey);
    else if ((await tryHoldImports(trx, { brandKey })).length === 0) return null;
    const [position] = await searchPosition(trx, { brandKey });
    if (!position || position.day === null) return null;
    return searchFrom(trx, brandKey, { day: position.day, after: position.after }, now);
  });
}

async function searchFrom(
  trx: Knex.Transaction,
  brandKey: number,
  position: { readonly day: string; readonly after: string | null },
  now: Date,
): Promise<Searched> {
  const entities = await entitiesWithAliases(trx, { brandKey });
  const names = new Dictionary(trx, 'mention_names', 'name_key', 'name');
  const since = await prunedUntil(trx, brandKey);
  const days = (await daysToSearch(trx, { brandKey, before: position.day, since })).map(({ day }) => day);
  const changed: string[] = [];
  let { day: reached, after } = position;
  let answers = 0;
  let end: string | null | undefined = days.length === 0 ? since : undefined;
  for (const day of days) {
    const rows = BATCH_ANSWERS - answers;
    const page = await runsOfDay(trx, { brandKey, day, after, rows });
    await searchRuns(trx, names, brandKey, entities, page);
    answers += page.length;
    const isStuck = page.some(({ answer }) => answer === null);
    if (page.length === rows && !isStuck) {
      after = page.at(-1)!.id;
      break;
    }
    after = null;
    changed.push(day);
    if (isStuck) end = addDays(day, 1);
    else if (day === days.at(-1)) end = since;
    reached = isStuck ? end! : day;
    if (end !== undefined) break;
  }
  const firstNew = names.firstNew.get(brandKey);
  if (firstNew !== undefined) await resolveNames(trx, brandKey, entities, firstNew);
  const isLeft = await reach(trx, brandKey, { reached, after, end, entities });
  await rebuildDays(trx, brandKey, changed);
  const today = utcDay(now);
  await writeDailyStats(
    trx,
    brandKey,
    changed.filter((day) => day < today),
  );
  await bumpVersion(trx, { brandKey });
  await bumpStoredVersion(trx, { brandKey });
  return { answers, day: reached, left: isLeft ? days.length - changed.length : 0 };
}

/**
 * Notes how far the search is, and returns whether it goes on: not if no gap is left.
 * @param position end: the first day whose answers could be searched, null: all could, of a search that is over.
 */
async function reach(
  trx: Knex.Transaction,
  brandKey: number,
  {
    reached,
    after,
    end,
    entities,
  }: {
    readonly reached: string;
    readonly after: string | null;
    readonly end: string | null | undefined;
    readonly entities: readonly EntityWithAliases[];
  },
): Promise<boolean> {
  const tracked = entities.map(({ entity }) => entity);
  await moveGaps(trx, { brandKey, day: end === undefined ? reached : end, entities: tracked });
  await dropClosedGaps(trx, { brandKey });
  await noteNamesSince(trx, { brandKey, entities: tracked });
  const [gaps] = await hasGaps(trx, { brandKey, entities: tracked });
  const isLeft = end === undefined && gaps!.found;
  await setProgress(trx, { brandKey, day: isLeft ? reached : null, after: isLeft ? after : null });
  return isLeft;
}

/** Searches the stored answers of every brand, or of one, to the end. */
export async function* searchNames(
  db: Knex,
  { now, brand, signal }: { readonly now: Date; readonly brand?: string; readonly signal?: AbortSignal },
): AsyncGenerator<Searched & { readonly brand: string }> {
  for (const { key, brand: id } of await nameSearches(db, {})) {
    if (brand !== undefined && id !== brand) continue;
    for (let done: Searched | null; !signal?.aborted; ) {
      done = await searchBatch(db, key, { now, waits: true });
      if (done === null) break;
      yield { brand: id, ...done };
    }
  }
}
