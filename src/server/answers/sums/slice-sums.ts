/**
 * Sums of slices from the roll-ups that have them by prompt, or by region and surface, in the form of the sums of chosen runs. A
 * slice by prompts and something else is in none of them.
 */
import { blendedEngineIds, type EngineId } from '../../../contract/engines.js';
import {
  type EntitySums,
  type MeasureName,
  measureNames,
  neededSums,
  type WindowSums,
} from '../../../contract/measures.js';
import type { Window } from '../../base/days.js';
import { type Db, plannedStatement, type WindowBindings } from '../../base/statement.js';
import { inBothWindows } from './collection.js';
import { byPrompt, type ChosenSums, chosenEntities, rowsOf } from './entity-sums.js';
import {
  type ChosenRuns,
  chosenRuns,
  IN_PROMPTS,
  IN_REGIONS,
  isOfPrompts,
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

interface SliceBindings extends WindowBindings, ChosenRuns {
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
const lists = Object.keys(SUMS) as List[];

/** The lists of the sums that a measure needs; the presences of all entities are among its totals. */
const listsOf = (measure: MeasureName): List[] =>
  lists.filter((list) => list === 'present_runs' || neededSums(measure).has(SUMS[list]));

/** Text of each list. */
const listed = (each: (list: List, sum: string) => string, some: readonly List[] = lists): string =>
  some.map((list) => each(list, `"${SUMS[list]}"`)).join(', ');

/** The table of each, and the condition of the rows of a slice. */
const ROWS: Readonly<Record<SliceRollup, { readonly table: string; readonly chosen: string }>> = {
  prompts: { table: 'day_prompt_entities', chosen: IN_PROMPTS },
  regions: { table: 'day_region_entities', chosen: IN_REGIONS },
  'engine regions': {
    table: 'day_engine_region_entities',
    chosen: `${ON_ENGINES} and ${IN_REGIONS} and ${ON_SURFACES}`,
  },
};

const LISTED_PROMPTS = `(
  select day, unnest(prompt_keys) as prompt_key, unnest(prompt_runs) as run_count from cells offset 0
) asked`;

const days = 'select day, sum(run_count) as runs, sum(citations) as citations from cells group by day';

/** Sums of every entity, only those that one measure needs or all, or of the brand with the presences of all entities. */
export type MeasuredEntities = 'every entity' | MeasureName | 'brand';

// Entities are read from the table: to materialize the lists costs as much as to sum them.

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

const surfaces = `
  select surface, ${inBothWindows('listed.runs')}
  from (select day, unnest(surfaces) as surface, unnest(surface_runs) as runs from cells offset 0) listed
  group by surface`;

const sumsFrom = (name: string, rollup: SliceRollup, entities: (rows: string) => string) => {
  const { table, chosen } = ROWS[rollup];
  const [prompts, asked] =
    rollup === 'prompts' ? ['prompt_key', 'cells'] : ['prompt_keys, prompt_runs', LISTED_PROMPTS];
  const rows = `${table} where brand_key = :brandKey and day = any(cast(:days as date[])) and ${chosen}`;
  return plannedStatement<ChosenSums, SliceBindings>(
    name,
    `with cells as materialized (
       select day, ${prompts}, run_count, citations, surfaces, surface_runs from ${rows}
     )
     select ${rowsOf(days)} as days, ${rowsOf(entities(rows))} as entities, ${rowsOf(surfaces)} as surfaces,
       ${rowsOf(byPrompt('sum(run_count)', asked))} as panel`,
  );
};

type SumsOf = Readonly<Record<MeasuredEntities, ReturnType<typeof sumsFrom>>>;

const eachFrom = (name: string, rollup: SliceRollup): SumsOf => ({
  'every entity': sumsFrom(name, rollup, (rows) => everyEntity(rows, lists)),
  ...(Object.fromEntries(
    measureNames.map((measure) => [
      measure,
      sumsFrom(`${measure}_${name}`, rollup, (rows) => everyEntity(rows, listsOf(measure))),
    ]),
  ) as Record<MeasureName, SumsOf[MeasureName]>),
  brand: sumsFrom(`brand_${name}`, rollup, brandOnly),
});

/** The sums of both windows. Always one row. */
export const sliceSums: Readonly<Record<SliceRollup, SumsOf>> = {
  prompts: eachFrom('sums_of_prompts', 'prompts'),
  regions: eachFrom('sums_of_regions', 'regions'),
  'engine regions': eachFrom('sums_of_engine_regions', 'engine regions'),
};

// Sums of the cells that a slice is cut into: of one entity, next to what all entities have.

/** What a slice is cut by. */
export type Cut = 'prompt' | 'region' | 'engine' | 'surface';

/** A day of a cell with runs. */
export interface CellDay {
  readonly day: string;
  /** The key of the prompt, the region, the engine or the surface. */
  readonly cell: number | string;
  readonly totals: WindowSums;
  /** The sums of the entity asked for. */
  readonly entity: EntitySums;
}

interface CellRow extends EntitySums {
  day: string;
  cell: number | string;
  runs: number;
  allCitations: number;
  presences: number;
}

interface CellBindings extends WindowBindings, ChosenRuns {
  entity: number;
}

const CELL: Readonly<Record<Cut, string>> = {
  prompt: 'prompt_key',
  region: 'region',
  engine: 'engine',
  surface: 'surface',
};

/** The lists of prompts of an engine: the column of each, and the sum in it. */
const OF_PROMPTS = {
  run_counts: 'runs',
  citations: 'allCitations',
  presences: 'presences',
  brand_runs: 'present',
  brand_positions: 'positionSum',
  brand_weights: 'weightSum',
  brand_positives: 'positive',
  brand_neutrals: 'neutral',
  brand_negatives: 'negative',
  brand_citations: 'citations',
} as const satisfies Record<string, keyof CellRow>;

const listedCells = (cut: Cut, rollup: SliceRollup) => {
  const { table, chosen } = ROWS[rollup];
  return plannedStatement<CellRow, CellBindings>(
    `listed_cells_by_${cut}`,
    `select day, cell, sum(run_count)::bigint as runs, sum(citations)::bigint as "allCitations",
       coalesce(sum(presences), 0)::bigint as presences,
       ${listed((list, sum) => `sum(coalesce(${list}[place], 0))::bigint as ${sum}`)}
     from (
       select day, ${CELL[cut]} as cell, run_count, citations, ${lists.join(', ')},
         (select sum(each) from unnest(present_runs) each) as presences, array_position(entities, :entity) as place
       from ${table} where brand_key = :brandKey and day between :start and :end and ${chosen} offset 0
     ) cells
     group by day, cell`,
  );
};

/** Of the brand, by prompt on any engines. */
const listedPrompts = plannedStatement<CellRow, CellBindings>(
  'listed_prompts',
  `select day, cell, ${Object.entries(OF_PROMPTS)
    .map(([list, sum]) => `sum(${list})::bigint as "${sum}"`)
    .join(', ')}
   from (
     select day, unnest(prompt_keys) as cell, ${Object.keys(OF_PROMPTS)
       .map((list) => `unnest(${list}) as ${list}`)
       .join(', ')}
     from day_engine_prompts where brand_key = :brandKey and day between :start and :end and ${ON_ENGINES} offset 0
   ) cells
   where cast(:promptKeys as integer[]) is null or cell = any(cast(:promptKeys as integer[]))
   group by day, cell`,
);

const ofEntity = (sum: string): string =>
  `coalesce(sum(e.${sum}) filter (where e.entity = :entity), 0)::bigint as ${sum}`;

const chosenCells = (cut: Cut) =>
  plannedStatement<CellRow, CellBindings>(
    `chosen_cells_by_${cut}`,
    `with chosen as materialized (
       select row_number() over () as run, day, ${CELL[cut]} as cell, m_name, m_order, m_tone, c_url
       from ${chosenRuns()}
     )
     select day, cell, t.runs, t."allCitations", coalesce(sum(e.present), 0)::bigint as presences,
       ${listed((_, sum) => ofEntity(sum))}
     from (
       select day, cell, count(*) as runs, sum(cardinality(c_url))::bigint as "allCitations"
       from chosen group by day, cell
     ) t
     left join (${chosenEntities('day, cell')}) e using (day, cell)
     group by day, cell, t.runs, t."allCitations"`,
  );

const CELLS = {
  prompt: { listed: listedCells('prompt', 'prompts'), chosen: chosenCells('prompt') },
  region: { listed: listedCells('region', 'engine regions'), chosen: chosenCells('region') },
  engine: { listed: listedCells('engine', 'engine regions'), chosen: chosenCells('engine') },
  surface: { listed: listedCells('surface', 'engine regions'), chosen: chosenCells('surface') },
} as const;

/** Whether a roll-up has the cells of a slice; else the runs, which may be pruned. */
export const areListed = ({
  cut,
  engines,
  runs,
  entity,
}: Pick<CellsRequest, 'cut' | 'engines' | 'runs' | 'entity'>): boolean =>
  cut === 'prompt' ? isOfPrompts(runs) && (areBlended(engines) || entity === 0) : runs.promptKeys === null;

interface CellsRequest {
  readonly brandKey: number;
  readonly cut: Cut;
  readonly engines: readonly EngineId[];
  readonly runs: ChosenRuns;
  /** First and last day. */
  readonly window: Window;
  /** 0 is the brand itself. */
  readonly entity: number;
}

/** The cells of each day, in any order. */
export async function cellDays(
  db: Db,
  request: CellsRequest,
  fromRuns = !areListed(request),
): Promise<CellDay[]> {
  const { brandKey, cut, engines, runs, window, entity } = request;
  const isOfEngines = cut === 'prompt' && !fromRuns && !areBlended(engines);
  const read = isOfEngines ? listedPrompts : CELLS[cut][fromRuns ? 'chosen' : 'listed'];
  const rows = await read(db, {
    brandKey,
    engines,
    entity,
    ...runs,
    ...window,
  });
  return rows.map(({ day, cell, runs, allCitations, presences, ...sums }) => ({
    day,
    cell,
    totals: { runs, citations: allCitations, presences },
    entity: sums,
  }));
}
