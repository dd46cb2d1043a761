/** Sums by entity and day, and how much of two windows is about the same prompts. A day without runs has no row. */
import type { EntitySums } from '../../../contract/measures.js';
import {
  type EngineBindings,
  plannedStatement,
  statement,
  type WindowBindings,
} from '../../base/statement.js';
import type { PanelOverlap } from '../metrics/change.js';
import {
  type ChosenBindings,
  chosenRuns,
  citationsOf,
  FIRST_MENTION,
  mentionsOf,
  ON_ENGINES,
  POSITION_WEIGHT,
} from './run-choice.js';

/** The columns of `day_entity`, and the sum in each. */
const COLUMNS = {
  present_runs: 'present',
  position_sum: 'positionSum',
  weight_sum: 'weightSum',
  positive: 'positive',
  neutral: 'neutral',
  negative: 'negative',
  citations: 'citations',
} as const satisfies Record<string, keyof EntitySums>;

/** Text of each column of `day_entity`. */
export const ofEntity = (text: (column: string, sum: string) => string): string =>
  Object.entries(COLUMNS)
    .map(([column, sum]) => text(column, `"${sum}"`))
    .join(', ');

export const IN_SCOPE = `brand_key = :brandKey and day between :start and :end and ${ON_ENGINES}`;
const SUMMED = ofEntity((column, sum) => `sum(${column})::bigint as ${sum}`);

interface EntityRow extends EntitySums {
  /** 0 is the brand itself. */
  readonly entity: number;
}

/** Sums per entity over a window on some engines; entities never seen in it have no row. */
export const entitySums = statement<EntityRow, WindowBindings>(
  'entity_sums',
  `select entity, ${SUMMED} from day_entity where ${IN_SCOPE} group by entity`,
);

export interface DayTotals {
  readonly day: string;
  readonly runs: number;
  readonly citations: number;
}

/** Runs and citations by day. @param rows Rows of `day_scope`, or others with its columns. */
export const totalsByDay = (rows: string): string =>
  `select day, sum(run_count)::bigint as runs, sum(citations)::bigint as citations from ${rows} group by day`;

export const windowSumsByDay = statement<DayTotals, WindowBindings>(
  'window_sums_by_day',
  totalsByDay(`day_scope where ${IN_SCOPE}`),
);

/** Runs and citations of chosen runs by day. */
export const runSumsByDay = plannedStatement<DayTotals, ChosenBindings>(
  'run_sums_by_day',
  totalsByDay(`(select day, 1 as run_count, cardinality(c_url) as citations from ${chosenRuns()}) runs`),
);

export interface EntityDay extends EntityRow {
  readonly day: string;
}

/** Sums of every entity that was seen on the day. */
export const entitySumsByDay = statement<EntityDay, WindowBindings>(
  'entity_sums_by_day',
  `select day, entity, ${SUMMED} from day_entity where ${IN_SCOPE} group by day, entity`,
);

/** Sums of the brand, and the presences of all entities. */
export const brandSumsByDay = statement<EntityDay & { presences: number }, WindowBindings>(
  'brand_sums_by_day',
  `select day, 0 as entity, sum(present_runs)::bigint as presences,
     ${ofEntity((column, sum) => `coalesce(sum(${column}) filter (where entity = 0), 0)::bigint as ${sum}`)}
   from day_entity where ${IN_SCOPE} group by day`,
);

/** The rows of a query as one value. */
export const rowsOf = (query: string): string => `(select coalesce(json_agg(row), '[]') from (${query}) row)`;

/** The sums of every entity in the runs `cells`. @param of The columns that they are summed by. */
export const entitiesInRuns = (of: 'day' | 'day, cell'): string => `
  select ${of}, entity, sum(present) as present, sum(positions) as "positionSum", sum(weights) as "weightSum",
    sum(positive) as positive, sum(neutral) as neutral, sum(negative) as negative, sum(citations) as citations
  from (
    select ${of}, entity, count(*) as present, sum(position) as positions, sum(${POSITION_WEIGHT}) as weights,
      count(*) filter (where tone = 1) as positive, count(*) filter (where tone = 0) as neutral,
      count(*) filter (where tone = -1) as negative, 0 as citations
    from (
      select ${of}, n.entity, ${FIRST_MENTION}
      from (${mentionsOf('cells', `run, ${of}`)}) m
      join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
      group by m.run, ${of}, n.entity
    ) presence
    group by ${of}, entity
    union all
    select ${of}, e.entity, 0, 0, 0, 0, 0, 0, count(*)
    from (${citationsOf('cells', of)}) c
    join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
    join domain_entities e on e.brand_key = :brandKey and e.domain_key = u.domain_key
    group by ${of}, e.entity
  ) parts
  group by ${of}, entity`;

// Which runs of two windows are of prompts that were asked in both.

interface ComparedBindings extends EngineBindings {
  /** First day of the earlier window. */
  priorStart: string;
  /** First and last day of the later window, which follows the earlier one. */
  start: string;
  end: string;
}

/**
 * Counts only runs of days with exactly the prompts that a day of the other window has on some engine. All of them are
 * shared; there may be more. Always one row.
 */
export const equalDaysOverlap = statement<PanelOverlap, ComparedBindings>(
  'equal_days_overlap',
  `with cells as materialized (
     select day >= :start as is_current, panel_hash, sum(run_count) as runs from day_panel
     where brand_key = :brandKey and day between :priorStart and :end and engine = any(:engines)
     group by 1, 2
   )
   select coalesce(sum(runs) filter (where is_current), 0)::bigint as "currentRuns",
     coalesce(sum(runs) filter (where is_current and is_shared), 0)::bigint as "currentShared",
     coalesce(sum(runs) filter (where not is_current), 0)::bigint as "previousRuns",
     coalesce(sum(runs) filter (where not is_current and is_shared), 0)::bigint as "previousShared"
   from (select is_current, runs, count(*) over (partition by panel_hash) = 2 as is_shared from cells) each`,
);

/** Counts every shared run, prompt by prompt. Always one row. @param rows Rows of `day`, `prompt_key` and `run_count`. */
export const byPrompt = (rows: string): string => `
  select coalesce(sum(now), 0)::bigint as "currentRuns",
    coalesce(sum(now) filter (where past > 0), 0)::bigint as "currentShared",
    coalesce(sum(past), 0)::bigint as "previousRuns",
    coalesce(sum(past) filter (where now > 0), 0)::bigint as "previousShared"
  from (
    select sum(run_count) filter (where day >= :start) as now, sum(run_count) filter (where day < :start) as past
    from ${rows} group by prompt_key
  ) prompts`;

/** On the blended engines. */
export const blendedPromptOverlap = statement<PanelOverlap, Omit<ComparedBindings, 'engines'>>(
  'blended_prompt_overlap',
  byPrompt('day_prompt where brand_key = :brandKey and day between :priorStart and :end'),
);

/** On any engines. The days are listed, so that the index finds the engines of each. */
export const promptOverlap = statement<PanelOverlap, ComparedBindings & { days: readonly string[] }>(
  'prompt_overlap',
  byPrompt(`(
      select day, unnest(prompt_keys) as prompt_key, unnest(run_counts) as run_count from day_engine_prompts
      where brand_key = :brandKey and day = any(cast(:days as date[])) and engine = any(:engines)
    ) asked`),
);
