/**
 * Sums of slices from the roll-ups that have them by prompt or by region, in the form of the sums of chosen runs. A slice by
 * prompts and engines, or by prompts and regions, is in none of them.
 */
import { blendedEngineIds, type EngineId } from '../../contract/engines.js';
import { plannedStatement, statement, type WindowBindings } from '../statement.js';
import { byPrompt, type ChosenSums, rowsOf } from './entity-sums.js';
import type { ChosenRuns } from './run-choice.js';

/** The roll-up that has the sums of a slice. */
export type SliceRollup = 'prompts' | 'regions';

/** Whether all runs on the blended engines count. Engines are in table order. */
export const areBlended = (engines: readonly EngineId[]): boolean =>
  engines.join() === blendedEngineIds.join();

/** Null: only the runs have its sums. */
export function rollupOf(
  engines: readonly EngineId[],
  { promptKeys, regions }: ChosenRuns,
): SliceRollup | null {
  if (promptKeys === null) return 'regions';
  return regions === null && areBlended(engines) ? 'prompts' : null;
}

/** Whether every day of a window with runs has the sums of slices. Always one row. */
export const areDaysSummed = statement<{ summed: boolean }, WindowBindings>(
  'are_days_summed',
  `select not exists (
     select 1 from day_scope s
     left join day_engine_prompts p on p.brand_key = :brandKey and p.day = s.day and p.engine = s.engine
     where s.brand_key = :brandKey and s.day between :start and :end and s.engine = any(:engines)
       and p.brand_runs is null
   ) as summed`,
);

interface SliceBindings extends WindowBindings, ChosenRuns {
  /** First day of the window before, which is summed too; that of the window itself: no other is. */
  priorStart: string;
  /** Each day of both windows, so that the index finds the rows of each. */
  days: readonly string[];
}

/** The lists of entities: the column of each, and the sum in it. */
const SUMS = {
  present_runs: 'present',
  position_sums: '"positionSum"',
  weight_sums: '"weightSum"',
  positives: 'positive',
  neutrals: 'neutral',
  negatives: 'negative',
  entity_citations: 'citations',
} as const;
const lists = Object.keys(SUMS);
const listed = (each: (list: string, sum: string) => string): string =>
  Object.entries(SUMS)
    .map(([list, sum]) => each(list, sum))
    .join(', ');

const ROWS: Readonly<Record<SliceRollup, string>> = {
  prompts: `day_prompt_entities where brand_key = :brandKey and day = any(cast(:days as date[]))
    and prompt_key = any(cast(:promptKeys as integer[]))`,
  regions: `day_region_entities where brand_key = :brandKey and day = any(cast(:days as date[]))
    and engine = any(:engines) and region = any(cast(:regions as text[]))`,
};

const PANEL: Readonly<Record<SliceRollup, string>> = {
  prompts: 'cells',
  regions: `(
    select day, unnest(prompt_keys) as prompt_key, unnest(prompt_runs) as run_count from cells offset 0
  ) asked`,
};

const days = 'select day, sum(run_count) as runs, sum(citations) as citations from cells group by day';

const entities = `
  select day, entity, ${listed((list, sum) => `sum(${list}) as ${sum}`)}
  from (
    select day, unnest(entities) as entity, ${listed((list) => `unnest(${list}) as ${list}`)}
    from cells offset 0
  ) listed
  group by day, entity`;

const surfaces = `
  select surface, sum(runs) as runs
  from (select unnest(surfaces) as surface, unnest(surface_runs) as runs from cells where day >= :start offset 0) listed
  group by surface`;

const sumsFrom = (rollup: SliceRollup) =>
  plannedStatement<ChosenSums, SliceBindings>(
    `slice_sums_of_${rollup}`,
    `with cells as materialized (
       select day, ${rollup === 'prompts' ? 'prompt_key' : 'prompt_keys, prompt_runs'}, run_count, citations, surfaces,
         surface_runs, entities, ${lists.join(', ')}
       from ${ROWS[rollup]}
     )
     select ${rowsOf(days)} as days, ${rowsOf(entities)} as entities, ${rowsOf(surfaces)} as surfaces,
       ${rowsOf(byPrompt('sum(run_count)', PANEL[rollup]))} as panel`,
  );

/** The sums of both windows. Always one row. */
export const sliceSums: Readonly<Record<SliceRollup, ReturnType<typeof sumsFrom>>> = {
  prompts: sumsFrom('prompts'),
  regions: sumsFrom('regions'),
};
