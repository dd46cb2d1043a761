/**
 * Sums of the cells that a cut divides runs into, in two windows and by day: of one entity, next to what all entities have.
 * They are found in the roll-up that has what the metric needs, in those of slices, or in the runs.
 */
import type { EngineId } from '../../../contract/engines.js';
import type { EntitySums, MeasureName, WindowSums } from '../../../contract/measures.js';
import { daysBetween, everyDayOf, type Window } from '../../base/days.js';
import { type BrandWindow, type Db, plannedStatement } from '../../base/statement.js';
import type { MeasuredDay } from '../metrics/samples.js';
import { entitiesInRuns, IN_SCOPE, ofEntity } from './entity-sums.js';
import {
  type ChosenBindings,
  type ChosenRuns,
  chosenRuns,
  EVERY_RUN,
  IN_PROMPTS,
  isOfPrompts,
} from './run-choice.js';
import { areBlended, listed, lists, ROWS, type SliceRollup } from './slice-sums.js';

/** What distinguishes the cells of runs. Topics and tags are unions of prompts. */
export type Cut = 'prompt' | 'region' | 'engine' | 'surface';

interface CellBindings extends ChosenBindings {
  entity: number;
}

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

/** @param rows Rows of `day` and `cell` with what is summed: the totals, and of the entity the columns of the lists. */
const cellsFrom = (name: string, rows: string) =>
  plannedStatement<CellRow, CellBindings>(
    name,
    `select day, cell, sum(run_count)::bigint as runs, sum(citations)::bigint as "allCitations",
       coalesce(sum(presences), 0)::bigint as presences, ${listed((list, sum) => `sum(${list})::bigint as ${sum}`)}
     from (${rows}) cells group by day, cell`,
  );

const CELL: Readonly<Record<Cut, string>> = {
  prompt: 'prompt_key',
  region: 'region',
  engine: 'engine',
  surface: 'surface',
};

/** Rows of lists. */
const listedCells = (cut: Cut, rollup: SliceRollup) => {
  const { table, which } = ROWS[rollup];
  return cellsFrom(
    `listed_cells_by_${cut}`,
    `select day, cell, run_count, citations, presences, ${listed((list) => `coalesce(${list}[place], 0) as ${list}`)}
     from (
       select day, ${CELL[cut]} as cell, run_count, citations, ${lists.join(', ')},
         (select sum(each) from unnest(present_runs) each) as presences, array_position(entities, :entity) as place
       from ${table} where brand_key = :brandKey and day between :start and :end and ${which} offset 0
     ) rows`,
  );
};

/** The columns of each prompt of an engine, in the order of the lists. */
const OF_BRAND = ['runs', 'positions', 'weights', 'positives', 'neutrals', 'negatives', 'citations'];

/** Sums of the brand by prompt, on any engines. */
const listedPrompts = cellsFrom(
  'listed_prompts',
  `select * from (
     select day, unnest(prompt_keys) as cell, unnest(run_counts) as run_count, unnest(citations) as citations,
       unnest(presences) as presences, ${lists.map((list, at) => `unnest(brand_${OF_BRAND[at]}) as ${list}`).join(', ')}
     from day_engine_prompts where ${IN_SCOPE} offset 0
   ) listed
   where cast(:promptKeys as integer[]) is null or cell = any(cast(:promptKeys as integer[]))`,
);

/**
 * Rows of the totals, and rows of the entities.
 * @param totals A query of `day`, `cell`, `run_count` and `citations`.
 * @param entities A query of `day`, `cell` and `entity` with the sums of the entity.
 */
const both = (totals: string, entities: string): string => `
  select *, 0 as presences, ${listed((list) => `0 as ${list}`)} from (${totals}) t
  union all
  select day, cell, 0, 0, present, ${listed((_, sum) => `case when entity = :entity then ${sum} else 0 end`)}
  from (${entities}) e`;

const cellsOfRuns = (cut: Cut) =>
  cellsFrom(
    `cells_of_runs_by_${cut}`,
    `with cells as materialized (
       select row_number() over () as run, day, ${CELL[cut]} as cell, m_name, m_order, m_tone, c_url
       from ${chosenRuns()}
     )
     ${both(
       'select day, cell, count(*) as run_count, sum(cardinality(c_url)) as citations from cells group by day, cell',
       entitiesInRuns('day, cell'),
     )}`,
  );

const cellsBy = (cut: Cut, rollup: SliceRollup) => ({
  lists: listedCells(cut, rollup),
  runs: cellsOfRuns(cut),
});

const CELLS = {
  prompt: cellsBy('prompt', 'prompts'),
  region: cellsBy('region', 'engine regions'),
  engine: cellsBy('engine', 'engine regions'),
  surface: cellsBy('surface', 'engine regions'),
} as const;

/** Every run on some engines. */
const engineCells = cellsFrom(
  'engine_cells',
  both(
    `select day, engine as cell, run_count, citations from day_scope where ${IN_SCOPE}`,
    `select day, engine as cell, entity, ${ofEntity((column, sum) => `${column} as ${sum}`)}
     from day_entity where ${IN_SCOPE}`,
  ),
);

/** Whether a roll-up has the cells of a slice; else the runs, which may be pruned. */
export const areListed = ({
  cut,
  engines,
  runs,
  entity,
}: Omit<CellsRequest, 'brandKey' | 'window'>): boolean =>
  cut === 'prompt' ? isOfPrompts(runs) && (areBlended(engines) || entity === 0) : !runs?.promptKeys;

interface CellsRequest {
  readonly brandKey: number;
  readonly cut: Cut;
  readonly engines: readonly EngineId[];
  /** Null: all runs on the engines. */
  readonly runs: ChosenRuns | null;
  /** First and last day. */
  readonly window: Window;
  /** 0 is the brand itself. */
  readonly entity: number;
}

/** The cells of each day, in any order. */
export async function cellDays(
  db: Db,
  request: CellsRequest,
  from: 'lists' | 'runs' = areListed(request) ? 'lists' : 'runs',
): Promise<CellDay[]> {
  const { brandKey, cut, engines, runs, window, entity } = request;
  const isOfEngines = cut === 'prompt' && from === 'lists' && !areBlended(engines);
  const isOfEveryRun = cut === 'engine' && from === 'lists' && runs === null;
  const read = isOfEngines ? listedPrompts : isOfEveryRun ? engineCells : CELLS[cut][from];
  const rows = await read(db, { brandKey, engines, entity, ...window, ...(runs ?? EVERY_RUN) });
  return rows.map(({ day, cell, runs, allCitations, presences, ...sums }) => ({
    day,
    cell,
    totals: { runs, citations: allCitations, presences },
    entity: sums,
  }));
}

/** The sums of a prompt, by days from the first one on. */
interface PromptDays {
  cell: number;
  days: number[];
  runs: number[];
  present: number[];
  weights: number[];
}

/** What visibility and presence are made of, on the blended engines in every region. One row for each prompt, because rows cost more. */
const promptCells = plannedStatement<PromptDays, BrandWindow & Pick<ChosenRuns, 'promptKeys'>>(
  'prompt_cells',
  `select prompt_key as cell, array_agg(day - cast(:start as date)) as days, array_agg(run_count) as runs,
     array_agg(present_runs) as present, array_agg(cast(weight_sum as float8)) as weights
   from day_prompt
   where brand_key = :brandKey and day between :start and :end and ${IN_PROMPTS}
   group by prompt_key`,
);

/** Literals, because thousands of spread objects take most of the time of the read. */
function daysOfPrompts(found: readonly PromptDays[], dates: readonly string[]): CellDay[] {
  const rows: CellDay[] = [];
  for (const { cell, days, runs, present, weights } of found) {
    for (const [at, day] of days.entries())
      rows.push({
        day: dates[day]!,
        cell,
        totals: { runs: runs[at]!, citations: 0, presences: 0 },
        entity: {
          present: present[at]!,
          positionSum: 0,
          weightSum: weights[at]!,
          positive: 0,
          neutral: 0,
          negative: 0,
          citations: 0,
        },
      });
  }
  return rows;
}

/** The sums of a cell on a day. */
export interface CellSums extends MeasuredDay {
  /** The key of a prompt, the id of an engine, a region, or a surface, which may be empty. */
  readonly cell: string | number;
  readonly isCurrent: boolean;
}

/** Which sums are wanted: of which runs, in the window and the one before. */
export interface CellRequest {
  readonly brandKey: number;
  readonly column: Cut;
  readonly metric: MeasureName;
  readonly window: Window;
  readonly prior: Window;
  readonly engines: readonly EngineId[];
  /** Null: all runs on the engines. */
  readonly runs: ChosenRuns | null;
}

const isOfPresence = (metric: MeasureName): boolean => metric === 'visibility' || metric === 'presence_rate';

/** Whether the cells are in the roll-up of the brand by prompt, which has what visibility and presence are made of. */
const areOfPrompts = ({ column, metric, engines, runs }: CellRequest): boolean =>
  column === 'prompt' && isOfPresence(metric) && areBlended(engines) && isOfPrompts(runs);

const cellsOf = ({ brandKey, column, engines, runs, window, prior }: CellRequest): CellsRequest => ({
  brandKey,
  engines,
  cut: column,
  entity: 0,
  runs,
  window: { start: prior.start, end: window.end },
});

/** Whether a roll-up has the sums, so that they cost little. */
export const areSummed = (request: CellRequest): boolean => areListed(cellsOf(request));

/** @returns Days of cells with runs, in any order. */
async function daysFrom(db: Db, request: CellRequest): Promise<CellDay[]> {
  const of = cellsOf(request);
  if (!areOfPrompts(request)) return cellDays(db, of);
  const { brandKey, window, runs } = of;
  const bindings = { brandKey, ...window, promptKeys: runs?.promptKeys ?? null };
  return daysOfPrompts(await promptCells(db, bindings), everyDayOf(window));
}

/**
 * The sums that the metric needs, of each cell with runs; others may be 0.
 * @param requireRuns Called if runs are needed, which may be pruned.
 */
export async function cellSums(
  db: Db,
  request: CellRequest,
  requireRuns: () => Promise<void>,
): Promise<CellSums[]> {
  const { window, prior } = request;
  if (!areSummed(request)) await requireRuns();
  /** By day, because there are few days and many cells. */
  const places = new Map<string, Pick<CellSums, 'isCurrent' | 'ago'>>();
  const placeOf = (day: string) => {
    const isCurrent = day >= window.start;
    return { isCurrent, ago: daysBetween(day, (isCurrent ? window : prior).end) };
  };
  return (await daysFrom(db, request)).map(({ day, cell, totals, entity }) => {
    const at = places.get(day) ?? placeOf(day);
    places.set(day, at);
    return { cell, isCurrent: at.isCurrent, ago: at.ago, totals, entity };
  });
}
