/**
 * Searches stored answers for names that were added after they were collected, the newest day first. Each batch is a transaction of
 * its own that notes how far the search is, so that it goes on where it stopped, and several servers search each answer once.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { bumpStoredVersion } from '../accounts/brands.js';
import { writeDailyStats } from '../daily-stats.js';
import { liftTimeLimits } from '../database/connections.js';
import { addDays, utcDay } from '../days.js';
import { statement } from '../statement.js';
import { type EntityWithAliases, entitiesWithAliases } from '../sums/tracked-entities.js';
import type { ImportedBrand } from './brand-catalog.js';
import { Dictionary } from './dictionary.js';
import { resolveNames } from './entity-resolution.js';
import { ensureImportLock, lockImports, tryHoldImports } from './import-locks.js';
import { mentionsWith, type StoredMention } from './mentions.js';
import { noteNamesSince, prunedUntil } from './name-gaps.js';
import { probe } from './probes.js';
import { rebuildDays } from './rollups/rebuild.js';

/** Answers of a batch. */
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

/** Of a day, the greatest id first, as the index has them. */
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
 * Searches the answers of an import for names that were added since they were collected. Belongs before its names are
 * resolved.
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

interface SearchState {
  day: string | null;
  after: string | null;
  /** The next day with such runs; null: there is none. */
  next: string | null;
  /** How many such days there are. */
  left: number;
}

/** Always one row, if the brand has data. */
const searchState = statement<SearchState, { brandKey: number }>(
  'name_search_state',
  `select v.search_day as day, v.search_after as after, s.next, s.days as left
   from brand_versions v
   cross join lateral (
     select max(day) as next, count(distinct day) as days from day_scope
     where brand_key = :brandKey and day < v.search_day and tracked_runs > 0
   ) s
   where v.brand_key = :brandKey`,
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
    const [state] = await searchState(trx, { brandKey });
    if (!state || state.day === null) return null;
    const entities = await entitiesWithAliases(trx, { brandKey });
    const pruned = await prunedUntil(trx, brandKey);
    const { day, next, after, left } = state;
    if (next === null || (pruned !== null && next < pruned)) {
      await reach(trx, { brandKey, day: pruned, entities }, true);
      await bumpVersion(trx, { brandKey });
      await bumpStoredVersion(trx, { brandKey });
      return { answers: 0, day, left: 0 };
    }
    const page = await runsOfDay(trx, { brandKey, day: next, after, rows: BATCH_ANSWERS });
    const names = new Dictionary(trx, 'mention_names', 'name_key', 'name');
    await searchRuns(trx, names, brandKey, entities, page);
    const firstNew = names.firstNew.get(brandKey);
    if (firstNew !== undefined) await resolveNames(trx, brandKey, entities, firstNew);
    const isStuck = page.some(({ answer }) => answer === null);
    if (page.length === BATCH_ANSWERS && !isStuck) {
      await setProgress(trx, { brandKey, day, after: page.at(-1)!.id });
      return { answers: page.length, day, left };
    }
    const reached = isStuck ? addDays(next, 1) : next;
    await reach(trx, { brandKey, day: reached, entities }, isStuck);
    await rebuildDays(trx, brandKey, [next]);
    if (next < utcDay(now)) await writeDailyStats(trx, brandKey, [next]);
    await bumpVersion(trx, { brandKey });
    await bumpStoredVersion(trx, { brandKey });
    return { answers: page.length, day: reached, left: isStuck ? 0 : left - 1 };
  });
}

const bumpVersion = statement<never, { brandKey: number }>(
  'bump_data_version',
  'update brands set data_version = data_version + 1 where brand_key = :brandKey',
);

/** Notes how far the search is. It ends there if nothing before can be searched, or nothing has to be. */
async function reach(
  trx: Knex.Transaction,
  {
    brandKey,
    day,
    entities,
  }: Omit<Reached, 'entities'> & { readonly entities: readonly EntityWithAliases[] },
  ends: boolean,
): Promise<void> {
  const tracked = entities.map(({ entity }) => entity);
  await moveGaps(trx, { brandKey, day, entities: tracked });
  await dropClosedGaps(trx, { brandKey });
  await noteNamesSince(trx, { brandKey, entities: tracked });
  const [gaps] = await hasGaps(trx, { brandKey, entities: tracked });
  await setProgress(trx, { brandKey, day: ends || !gaps!.found ? null : day, after: null });
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
