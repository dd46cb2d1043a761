/**
 * Sums of the brand in the cells that a cut divides runs into, in two windows and by day. `cellSums` finds them where they are: in the oldest roll-up that has what the metric needs, in those of slices, or in the runs.
 */
import type { EngineId } from '../../../contract/engines.js';
import type { MeasureName } from '../../../contract/measures.js';
import { daysBetween, everyDayOf, type Window } from '../../base/days.js';
import { type Db, plannedStatement } from '../../base/statement.js';
import { type MeasuredDay, NO_RUNS, NO_SUMS } from '../metrics/samples.js';
import { type ChosenRuns, EVERY_RUN, isOfPrompts } from './run-choice.js';
import { areBlended, areListed, type CellDay, type Cut, cellDays } from './slice-sums.js';

/** What distinguishes the cells of runs. Topics and tags are unions of prompts. */
export type CellColumn = Cut;

/** The sums of a cell on a day. */
export interface CellSums extends MeasuredDay {
  /** The key of a prompt, the id of an engine, a region, or a surface, which may be empty. */
  readonly cell: string | number;
  readonly isCurrent: boolean;
}

/** Which sums are wanted: of which runs, in the window and the one before. */
export interface CellRequest {
  readonly brandKey: number;
  readonly column: CellColumn;
  readonly metric: MeasureName;
  readonly window: Window;
  readonly prior: Window;
  readonly engines: readonly EngineId[];
  /** Null: all runs on the engines. */
  readonly runs: ChosenRuns | null;
}

interface CellBindings extends Record<string, unknown> {
  brandKey: number;
  engines: readonly string[];
  start: string;
  end: string;
}

interface CellRow {
  day: string;
  cell: string | number;
  runs: number;
  citations?: number;
  presences?: number;
  present?: number;
  weightSum?: number;
  positive?: number;
  neutral?: number;
  negative?: number;
  own?: number;
}

/** Sums that a row does not have are 0. */
function cellDayOf({ day, cell, runs, citations = 0, presences = 0, own = 0, ...sums }: CellRow): CellDay {
  return {
    day,
    cell,
    totals: { ...NO_RUNS, runs, citations, presences },
    entity: { ...NO_SUMS, ...sums, citations: own },
  };
}

/** All runs on some engines. */
const engineCells = plannedStatement<CellRow, CellBindings>(
  'engine_cells',
  `select s.day, s.engine as cell, s.run_count as runs, s.citations, e.*
   from day_scope s
   cross join lateral (
     select coalesce(sum(present_runs), 0)::bigint as presences, ${Object.entries({
       present: 'present_runs',
       weightSum: 'weight_sum',
       positive: 'positive',
       neutral: 'neutral',
       negative: 'negative',
       own: 'citations',
     })
       .map(([name, column]) => `coalesce(sum(${column}) filter (where entity = 0), 0)::bigint as "${name}"`)
       .join(', ')}
     from day_entity where brand_key = :brandKey and day = s.day and engine = s.engine
   ) e
   where s.brand_key = :brandKey and s.day between :start and :end and s.engine = any(:engines)`,
);

/** Of a prompt, by days from the first one on. */
interface PromptDays {
  cell: number;
  days: number[];
  runs: number[];
  present: number[];
  weights: number[];
}

/** What visibility and presence are made of, on the blended engines in every region. One row for each prompt, because rows cost more. */
const promptCells = plannedStatement<PromptDays, CellBindings & Pick<ChosenRuns, 'promptKeys'>>(
  'prompt_cells',
  `select prompt_key as cell, array_agg(day - cast(:start as date)) as days, array_agg(run_count) as runs,
     array_agg(present_runs) as present, array_agg(cast(weight_sum as float8)) as weights
   from day_prompt
   where brand_key = :brandKey and day between :start and :end
     and (cast(:promptKeys as integer[]) is null or prompt_key = any(cast(:promptKeys as integer[])))
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

type CellSource = 'roll-up' | 'slices' | 'runs';

const isOfPresence = (metric: MeasureName): boolean => metric === 'visibility' || metric === 'presence_rate';

/** What has the sums. */
function sourceOf(request: CellRequest): CellSource {
  const { column, metric, engines, runs } = request;
  if (column === 'engine' && runs === null) return 'roll-up';
  if (column === 'prompt' && isOfPresence(metric) && areBlended(engines) && isOfPrompts(runs))
    return 'roll-up';
  return areListed(cellsOf(request)) ? 'slices' : 'runs';
}

/** Whether a roll-up has the sums, so that they cost little. */
export const areSummed = (request: CellRequest): boolean => sourceOf(request) !== 'runs';

const cellsOf = ({ brandKey, column, engines, runs, window, prior }: CellRequest) => ({
  ...{ brandKey, engines, cut: column, entity: 0 },
  ...{ runs: runs ?? EVERY_RUN, window: { start: prior.start, end: window.end } },
});

/** @returns Days of cells with runs, in any order. */
function daysFrom(db: Db, source: CellSource, request: CellRequest): Promise<CellDay[]> {
  const { brandKey, column, engines, runs, window, prior } = request;
  const bindings = { brandKey, engines, start: prior.start, end: window.end, ...(runs ?? EVERY_RUN) };
  const rows = async (found: Promise<CellRow[]>) => (await found).map(cellDayOf);
  if (source !== 'roll-up') return cellDays(db, cellsOf(request));
  if (column === 'engine') return rows(engineCells(db, bindings));
  return promptCells(db, bindings).then((found) => daysOfPrompts(found, everyDayOf(bindings)));
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
  const source = sourceOf(request);
  if (source === 'runs') await requireRuns();
  /** By day, because there are few days and many cells. */
  const places = new Map<string, Pick<CellSums, 'isCurrent' | 'ago'>>();
  const placeOf = (day: string) => {
    const isCurrent = day >= window.start;
    return { isCurrent, ago: daysBetween(day, (isCurrent ? window : prior).end) };
  };
  return (await daysFrom(db, source, request)).map(({ day, cell, totals, entity }) => {
    const at = places.get(day) ?? placeOf(day);
    places.set(day, at);
    return { cell, isCurrent: at.isCurrent, ago: at.ago, totals, entity };
  });
}
