/**
 * Sums of the cells that a cut divides runs into, in two windows and by day, or by week in long windows. `cellSums` decides
 * from where: a roll-up if one has the sums, else the runs.
 */
import type { Knex } from 'knex';
import { blendedEngineIds } from '../../contract/engines.js';
import type { MeasureName, Sums } from '../../contract/measures.js';
import type { Window } from '../days.js';
import { DAYS_OF, unitOf } from '../metrics/samples.js';
import { plannedStatement } from '../statement.js';
import {
  type ChosenBindings,
  type ChosenRuns,
  chosenRuns,
  EVERY_RUN,
  FIRST_MENTION,
  MENTIONS_BRAND,
  mentionsOf,
  POSITION_WEIGHT,
} from './run-choice.js';
import { UNIT } from './units.js';

/** What distinguishes the cells of runs. Topics and tags are unions of prompts. */
export type CellColumn = 'prompt' | 'engine' | 'region' | 'surface';

/** The sums of a cell on a day, or in a week. */
export interface CellUnit extends Sums {
  /** The key of a prompt, the id of an engine, a region, or a surface, which may be empty. */
  readonly cell: string | number;
  readonly isCurrent: boolean;
  /** Days or weeks before the end of its window. */
  readonly unit: number;
}

type Row = {
  cell: string | number;
  isCurrent: boolean;
  unit: number;
} & Sums['entity'] &
  Sums['totals'];

interface CellBindings extends Record<string, unknown> {
  brandKey: number;
  engines: readonly string[];
  /** First day of the window before. */
  priorStart: string;
  start: string;
  end: string;
  /** Days of a unit. */
  unitDays: number;
}

const SUMS = [
  'runs',
  'citations',
  'presences',
  'present',
  'positionSum',
  'weightSum',
  'positive',
  'neutral',
  'negative',
  'own',
] as const;
type SumName = (typeof SUMS)[number];

/** Adds up rows by day; sums that they do not have are 0. */
const byUnit = (rows: string, has: readonly SumName[]): string => `
  select cell, day >= :start as "isCurrent", ${UNIT} as unit,
    ${has.map((name) => `sum("${name}")::bigint as "${name}"`).join(', ')}
  from (${rows}) r group by 1, 2, 3`;

const cellStatement = <B extends CellBindings>(name: string, rows: string, has: readonly SumName[]) => {
  const run = plannedStatement<Partial<Row>, B>(name, byUnit(rows, has));
  return async (db: Knex, bindings: B): Promise<CellUnit[]> => (await run(db, bindings)).map(unitOfRow);
};

function unitOfRow({ cell, isCurrent, unit, own = 0, ...sums }: Partial<Row> & { own?: number }): CellUnit {
  const { runs = 0, citations = 0, presences = 0, present = 0, positionSum = 0, weightSum = 0 } = sums;
  const { positive = 0, neutral = 0, negative = 0 } = sums;
  return {
    cell: cell!,
    isCurrent: isCurrent!,
    unit: unit!,
    totals: { runs, citations, presences },
    entity: { present, positionSum, weightSum, positive, neutral, negative, citations: own },
  };
}

// From roll-ups.

/** All runs, on any engines. */
const engineCells = cellStatement(
  'engine_cells',
  `select s.day, s.engine as cell, s.run_count as runs, s.citations, e.*
   from day_scope s
   cross join lateral (
     select coalesce(sum(present_runs), 0) as presences, ${[
       ['present', 'present_runs'],
       ['weightSum', 'weight_sum'],
       ['positive', 'positive'],
       ['neutral', 'neutral'],
       ['negative', 'negative'],
       ['own', 'citations'],
     ]
       .map(([name, column]) => `coalesce(sum(${column}) filter (where entity = 0), 0) as "${name}"`)
       .join(', ')}
     from day_entity where brand_key = :brandKey and day = s.day and engine = s.engine
   ) e
   where s.brand_key = :brandKey and s.day between :priorStart and :end and s.engine = any(:engines)`,
  ['runs', 'citations', 'presences', 'present', 'weightSum', 'positive', 'neutral', 'negative', 'own'],
);

/** Of the blended engines, in every region. */
const promptCells = cellStatement<CellBindings & Pick<ChosenRuns, 'promptKeys'>>(
  'prompt_cells',
  `select day, prompt_key as cell, run_count as runs, present_runs as present, weight_sum as "weightSum"
   from day_prompt
   where brand_key = :brandKey and day between :priorStart and :end
     and (cast(:promptKeys as integer[]) is null or prompt_key = any(cast(:promptKeys as integer[])))`,
  ['runs', 'present', 'weightSum'],
);

// From the runs. Only what the metric is made of is read of them.

const columns = { prompt: 'prompt_key', engine: 'engine', region: 'region', surface: 'surface' } as const;

const named = (cell: string, names: string, sums: string): string => `
  select day, cell, 0 as runs, 0 as citations, ${sums}, 0 as own
  from (
    select m.day, m.cell, n.entity, ${FIRST_MENTION}
    from (${mentionsOf(cell, 'run, day, cell')}) m
    join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and ${names}
    group by m.run, m.day, m.cell, n.entity
  ) presence
  group by day, cell`;

const ofBrand = 'filter (where entity = 0)';

/** The numbers of each kind of metric, as rows by day and cell, from the runs of `chosen`. */
const kinds = {
  brand: named(
    `(select * from chosen where ${MENTIONS_BRAND}) present`,
    'n.entity = 0',
    `0 as presences, count(*) as present, sum(${POSITION_WEIGHT}) as "weightSum",
     count(*) filter (where tone = 1) as positive, count(*) filter (where tone = 0) as neutral,
     count(*) filter (where tone = -1) as negative`,
  ),
  names: named(
    'chosen',
    'n.entity is not null',
    `count(*) as presences, count(*) ${ofBrand} as present, 0 as "weightSum", 0 as positive, 0 as neutral,
     0 as negative`,
  ),
  citations: `
  select c.day, c.cell, 0 as runs, 0 as citations, 0 as presences, 0 as present, 0 as "weightSum", 0 as positive,
    0 as neutral, 0 as negative, count(*) as own
  from (select day, cell, unnest(c_url) as url_key from chosen offset 0) c
  join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
  join domain_entities e on e.brand_key = :brandKey and e.domain_key = u.domain_key and e.entity = 0
  group by c.day, c.cell`,
} as const;
type Kind = keyof typeof kinds;

const kindOf = {
  visibility: 'brand',
  presence_rate: 'brand',
  sentiment_index: 'brand',
  share_of_voice_fraction: 'names',
  citation_share: 'citations',
} as const satisfies Record<MeasureName, Kind>;

type RunBindings = CellBindings & ChosenBindings;

const runCells = Object.fromEntries(
  Object.entries(columns).map(([cut, column]) => [
    cut,
    Object.fromEntries(
      Object.entries(kinds).map(([kind, rows]) => [
        kind,
        cellStatement<RunBindings>(
          `${cut}_cells_of_runs_${kind}`,
          `with chosen as materialized (
             select row_number() over () as run, day, ${column} as cell, m_name, m_order, m_tone, c_url
             from ${chosenRuns(':priorStart')}
           )
           select day, cell, count(*) as runs, sum(cardinality(c_url)) as citations, 0 as presences, 0 as present,
             0 as "weightSum", 0 as positive, 0 as neutral, 0 as negative, 0 as own
           from chosen group by day, cell
           union all ${rows}`,
          SUMS.filter((name) => name !== 'positionSum'),
        ),
      ]),
    ),
  ]),
) as Record<CellColumn, Record<Kind, ReturnType<typeof cellStatement<RunBindings>>>>;

/** Which sums are wanted: of which runs, in the window and the one before. */
export interface CellRequest {
  readonly window: Window;
  readonly prior: Window;
  readonly engines: readonly string[];
  /** Null: all runs on the engines. */
  readonly runs: ChosenRuns | null;
}

/** Whether a roll-up has the sums of the cells. */
export function hasCellRollup(
  column: CellColumn,
  metric: MeasureName,
  { engines, runs }: Pick<CellRequest, 'engines' | 'runs'>,
): boolean {
  if (column === 'engine') return runs === null;
  const isBlended = engines.join() === blendedEngineIds.join();
  const isOfPrompts = metric === 'visibility' || metric === 'presence_rate';
  return column === 'prompt' && isBlended && isOfPrompts && !runs?.regions;
}

/** The sums that the metric needs, of each cell with runs. Other sums may be 0. */
export async function cellSums(
  db: Knex,
  brandKey: number,
  column: CellColumn,
  metric: MeasureName,
  request: CellRequest,
): Promise<CellUnit[]> {
  const { window, prior, engines, runs } = request;
  const bindings = {
    brandKey,
    engines,
    ...window,
    priorStart: prior.start,
    unitDays: DAYS_OF[unitOf(window)],
  };
  if (!hasCellRollup(column, metric, request))
    return runCells[column][kindOf[metric]](db, { ...bindings, ...(runs ?? EVERY_RUN) });
  return column === 'engine'
    ? engineCells(db, bindings)
    : promptCells(db, { ...bindings, promptKeys: runs?.promptKeys ?? null });
}
