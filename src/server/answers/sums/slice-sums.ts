/**
 * Sums of slices: from the roll-ups that have them by prompt, or by region and surface, or from the chosen runs. A slice by
 * prompts and something else is in none of the roll-ups.
 */
import { blendedEngineIds, type EngineId } from '../../../contract/engines.js';
import { type EntitySums, type MeasureName, measureNames, neededSums } from '../../../contract/measures.js';
import { plannedStatement } from '../../base/statement.js';
import type { PanelOverlap, SurfaceRuns } from '../metrics/change.js';
import { bySurface } from './collection.js';
import {
  byPrompt,
  type DayTotals,
  type EntityDay,
  entitiesInRuns,
  rowsOf,
  totalsByDay,
} from './entity-sums.js';
import {
  type ChosenBindings,
  type ChosenRuns,
  chosenRuns,
  IN_PROMPTS,
  IN_REGIONS,
  ON_ENGINES,
  ON_SURFACES,
} from './run-choice.js';

/** The roll-ups that have the sums of slices: by prompt or by region on the blended engines, or by region and surface on any. */
export type SliceRollup = 'prompts' | 'regions' | 'engine regions';

/** Whether these are the blended engines. Engines are in table order. */
export const areBlended = (engines: readonly EngineId[]): boolean =>
  engines.join() === blendedEngineIds.join();

/** Null: only the runs have its sums. */
export function rollupOf(
  engines: readonly EngineId[],
  { promptKeys, regions, surfaces }: ChosenRuns,
): SliceRollup | null {
  const isBlended = surfaces === null && areBlended(engines);
  if (promptKeys === null) return isBlended ? 'regions' : 'engine regions';
  return regions === null && isBlended ? 'prompts' : null;
}

/** What a slice is summed from. */
export type SliceSource = SliceRollup | 'runs';

interface SliceBindings extends ChosenBindings {
  /** First day of the window before, which is summed too; that of the window itself: no other is. */
  priorStart: string;
  /** Each day of both windows, so that the index finds the rows of each. */
  days: readonly string[];
}

/** The lists of entities: the column of each, and the sum in it. */
const SUMS = {
  present_runs: 'present',
  position_sums: 'positionSum',
  weight_sums: 'weightSum',
  positives: 'positive',
  neutrals: 'neutral',
  negatives: 'negative',
  entity_citations: 'citations',
} as const satisfies Record<string, keyof EntitySums>;
type List = keyof typeof SUMS;
export const lists = Object.keys(SUMS) as List[];

/** The lists of the sums that a measure needs; the presences of all entities are among its totals. */
const listsOf = (measure: MeasureName): List[] =>
  lists.filter((list) => list === 'present_runs' || neededSums(measure).has(SUMS[list]));

/** Text of each list. */
export const listed = (each: (list: List, sum: string) => string, some: readonly List[] = lists): string =>
  some.map((list) => each(list, `"${SUMS[list]}"`)).join(', ');

/** The table of each roll-up, and the condition of the rows of a slice. */
export const ROWS: Readonly<Record<SliceRollup, { readonly table: string; readonly which: string }>> = {
  prompts: { table: 'day_prompt_entities', which: IN_PROMPTS },
  regions: { table: 'day_region_entities', which: IN_REGIONS },
  'engine regions': {
    table: 'day_engine_region_entities',
    which: `${ON_ENGINES} and ${IN_REGIONS} and ${ON_SURFACES}`,
  },
};

export interface SliceSums {
  /** Runs and citations of each day with runs. */
  days: DayTotals[];
  /** Sums by day of every entity that was seen on the day, or of the brand with the presences of all entities. */
  entities: (EntityDay & { presences?: number })[];
  /** The runs of prompts that were asked in both windows. */
  panel: PanelOverlap[];
  /** The runs by the surface that they state; the others are in no row. */
  surfaces: SurfaceRuns[];
}

/** What a slice is summed from, as texts of SQL. */
interface Source {
  /** The rows `cells` of `day`, `run_count` and `citations`. */
  readonly cells: string;
  /** The sums of entities by day. */
  readonly entities: string;
  /** Of the cells, rows of `day` and `run_count` with the prompt that was asked, and with the surface that is stated. */
  readonly asked: string;
  readonly stated: string;
}

/** The sums of both windows. Always one row. */
const sumsFrom = (name: string, { cells, entities, asked, stated }: Source) =>
  plannedStatement<SliceSums, SliceBindings>(
    name,
    `with cells as materialized (${cells})
     select ${rowsOf(totalsByDay('cells'))} as days, ${rowsOf(entities)} as entities,
       ${rowsOf(bySurface(stated))} as surfaces, ${rowsOf(byPrompt(asked))} as panel`,
  );
type SumsStatement = ReturnType<typeof sumsFrom>;

/** Reads each run once. */
const fromRuns = sumsFrom('slice_sums_of_runs', {
  cells: `
    select row_number() over () as run, day, prompt_key, surface, m_name, m_order, m_tone, c_url, 1 as run_count,
      cardinality(c_url) as citations
    from ${chosenRuns(':priorStart')}`,
  entities: entitiesInRuns('day'),
  asked: 'cells',
  stated: `cells where surface <> ''`,
});

// Entities are read from the table of a roll-up: to materialize the lists costs as much as to sum them.

/** @param rows The rows of a slice. */
const everyEntity = (rows: string, some: readonly List[]): string => `
  select day, entity, ${listed((list, sum) => `sum(${list})::bigint as ${sum}`, some)}
  from (
    select day, unnest(entities) as entity, ${listed((list) => `unnest(${list}) as ${list}`, some)}
    from ${rows} offset 0
  ) listed
  group by day, entity`;

/** Reads one element of each list. */
const brandOnly = (rows: string): string => `
  select day, 0 as entity, coalesce(sum(presences), 0)::bigint as presences,
    ${listed((list, sum) => `sum(coalesce(${list}[place], 0))::bigint as ${sum}`)}
  from (
    select day, ${lists.join(', ')}, (select sum(each) from unnest(present_runs) each) as presences,
      array_position(entities, 0) as place
    from ${rows} offset 0
  ) listed
  group by day`;

const unnested = (columns: string): string => `(select day, ${columns} from cells offset 0) listed`;

const fromRollup = (name: string, rollup: SliceRollup, entities: (rows: string) => string): SumsStatement => {
  const { table, which } = ROWS[rollup];
  const rows = `${table} where brand_key = :brandKey and day = any(cast(:days as date[])) and ${which}`;
  const isOfPrompts = rollup === 'prompts';
  return sumsFrom(name, {
    cells: `
      select day, ${isOfPrompts ? 'prompt_key' : 'prompt_keys, prompt_runs'}, run_count, citations, surfaces, surface_runs
      from ${rows}`,
    entities: entities(rows),
    asked: isOfPrompts
      ? 'cells'
      : unnested('unnest(prompt_keys) as prompt_key, unnest(prompt_runs) as run_count'),
    stated: unnested('unnest(surfaces) as surface, unnest(surface_runs) as run_count'),
  });
};

/** Sums of every entity, only those that one measure needs or all, or of the brand with the presences of all entities. */
export type MeasuredEntities = 'every entity' | MeasureName | 'brand';

type SumsOf = Readonly<Record<MeasuredEntities, SumsStatement>>;

/** @param statementOf The statement with the sums of a measure, or with all of them. */
const eachOf = (brand: SumsStatement, statementOf: (measure?: MeasureName) => SumsStatement): SumsOf => ({
  brand,
  'every entity': statementOf(),
  ...(Object.fromEntries(measureNames.map((measure) => [measure, statementOf(measure)])) as Record<
    MeasureName,
    SumsStatement
  >),
});

const eachFrom = (name: string, rollup: SliceRollup): SumsOf =>
  eachOf(fromRollup(`brand_${name}`, rollup, brandOnly), (measure) =>
    fromRollup(measure ? `${measure}_${name}` : name, rollup, (rows) =>
      everyEntity(rows, measure ? listsOf(measure) : lists),
    ),
  );

/** The runs give the same sums for each measure, because a run is read once for all of them. */
export const sliceSums: Readonly<Record<SliceSource, SumsOf>> = {
  prompts: eachFrom('sums_of_prompts', 'prompts'),
  regions: eachFrom('sums_of_regions', 'regions'),
  'engine regions': eachFrom('sums_of_engine_regions', 'engine regions'),
  runs: eachOf(fromRuns, () => fromRuns),
};
