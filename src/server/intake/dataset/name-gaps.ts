/**
 * Notes for which entities stored answers were not searched. Where a model lists the names of an answer, a name that is tracked
 * later has its mentions already; elsewhere, and on days whose runs were pruned, it has none.
 */
import type { Knex } from 'knex';
import { runsSince } from '../../answers/sums/collected-days.js';
import type { EntityWithAliases } from '../../answers/sums/tracked-entities.js';
import { statement } from '../../base/statement.js';
import type { ImportedBrand } from './brand-catalog.js';
import { foldName } from './entity-resolution.js';

/** A row of `name_gaps`, without the brand. */
interface Gap {
  readonly entity: number;
  readonly measured_since: string | null;
  readonly spelled_since: string | null;
  readonly cited_since: string | null;
  readonly kept_before: string | null;
}

/** The day behind the newest one with runs in which only tracked names were looked for; null: there are none. */
const behindTracked = statement<{ day: string | null }, { brandKey: number }>(
  'behind_tracked',
  'select max(day) + 1 as day from day_scope where brand_key = :brandKey and tracked_runs > 0',
);

const hasDaysBefore = statement<{ found: boolean }, { brandKey: number; day: string }>(
  'has_days_before',
  'select exists (select 1 from day_scope where brand_key = :brandKey and day < :day) as found',
);

/** The first day whose runs are all stored, if there are roll-ups of days before; null: nothing was pruned. */
export async function prunedUntil(trx: Knex, brandKey: number): Promise<string | null> {
  const [brand] = await runsSince(trx, { brandKey });
  const day = brand?.day ?? null;
  if (day === null) return null;
  const [before] = await hasDaysBefore(trx, { brandKey, day });
  return before!.found ? day : null;
}

const addGaps = statement<never, { brandKey: number; gaps: string }>(
  'add_name_gaps',
  `insert into name_gaps (brand_key, entity, measured_since, spelled_since, cited_since, kept_before)
   select :brandKey, g.* from json_to_recordset(cast(:gaps as json))
     as g(entity integer, measured_since date, spelled_since date, cited_since date, kept_before date)
   on conflict (brand_key, entity) do update set
     measured_since = greatest(name_gaps.measured_since, excluded.measured_since),
     spelled_since = greatest(name_gaps.spelled_since, excluded.spelled_since),
     cited_since = greatest(name_gaps.cited_since, excluded.cited_since),
     kept_before = case when name_gaps.measured_since is null then excluded.kept_before end`,
);

/** A search that is under way begins again: it is for the new names too. */
const beginSearch = statement<never, { brandKey: number; day: string }>(
  'begin_name_search',
  `insert into brand_versions as v (brand_key, data_version, collected, search_day)
   values (cast(:brandKey as integer), 0, false, cast(:day as date))
   on conflict (brand_key) do update set
     search_day = greatest(v.search_day, excluded.search_day), search_after = null`,
);

/** States with the brand since when all names of its entities are measured. Belongs behind each change of these or of gaps. */
export const noteNamesSince = statement<never, { brandKey: number; entities: readonly number[] }>(
  'note_names_since',
  `update brand_versions set names_since = (
     select max(greatest(g.measured_since, g.spelled_since, g.cited_since)) from name_gaps g
     where g.brand_key = :brandKey and g.entity = any(:entities)
   ) where brand_key = :brandKey`,
);

/**
 * Notes what the stored answers lack of the names that an import added, and that they are to be searched. Belongs before the
 * roll-ups have the runs of the import: these state their names of today.
 * @param entities As they are after the import.
 */
export async function noteNewNames(
  trx: Knex,
  brand: ImportedBrand,
  entities: readonly EntityWithAliases[],
): Promise<void> {
  const { key: brandKey } = brand;
  const pruned = await prunedUntil(trx, brandKey);
  const [tracked] = await behindTracked(trx, { brandKey });
  const top = later(tracked?.day ?? null, pruned);
  const gaps = gapsOf(brand, entities, top, pruned);
  const days = gaps.flatMap(
    ({ measured_since, spelled_since }) => later(measured_since, spelled_since) ?? [],
  );
  if (gaps.length > 0) await addGaps(trx, { brandKey, gaps: JSON.stringify(gaps) });
  if (days.length > 0) await beginSearch(trx, { brandKey, day: days.reduce((a, b) => (a > b ? a : b)) });
  await noteNamesSince(trx, { brandKey, entities: entities.map(({ entity }) => entity) });
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

/**
 * @param top Names of answers before this day were not looked for; null: of none.
 * @param pruned Before this day, nothing is known of entities that are new.
 */
function gapsOf(
  { entitiesBefore, retiredOn, statedGaps }: ImportedBrand,
  entities: readonly EntityWithAliases[],
  top: string | null,
  pruned: string | null,
): Gap[] {
  const before: EntityWithAliases[] = JSON.parse(entitiesBefore);
  const known = new Set(before.map(({ entity }) => entity));
  // Those that moved from one entity to another are in stored mentions.
  const searched = new Set(before.flatMap(namesOf));
  return entities.flatMap((each): Gap[] => {
    const { entity } = each;
    const none = { entity, measured_since: null, spelled_since: null, cited_since: null, kept_before: null };
    const stated = known.has(entity) ? undefined : statedGaps.get(entity);
    if (stated) {
      const { measured, spelled, cited } = stated;
      return [{ ...none, measured_since: measured, spelled_since: spelled, cited_since: cited }];
    }
    if (top === null || namesOf(each).every((name) => searched.has(name))) return [];
    if (known.has(entity)) return [{ ...none, spelled_since: top }];
    const kept_before = retiredOn.get(entity) ?? null;
    if (kept_before !== null && kept_before >= top) return [];
    const cited_since = pruned !== null && (kept_before === null || kept_before < pruned) ? pruned : null;
    return [{ ...none, measured_since: top, cited_since, kept_before }];
  });
}

const namesOf = ({ name, aliases }: Pick<EntityWithAliases, 'name' | 'aliases'>): string[] =>
  [name, ...aliases].map(foldName);
