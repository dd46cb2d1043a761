/** Sums by entity and day: from the daily roll-ups, and of chosen runs. A day without runs has no row. */
import type { EntitySums } from '../../../contract/measures.js';
import {
  type EngineBindings,
  plannedStatement,
  statement,
  type WindowBindings,
} from '../../base/statement.js';
import type { PanelOverlap, SurfaceRuns } from '../metrics/change.js';
import { inBothWindows } from './collection.js';
import { type ChosenBindings, chosenRuns, FIRST_MENTION, mentionsOf, POSITION_WEIGHT } from './run-choice.js';

interface EntityRow extends EntitySums {
  /** 0 is the brand itself. */
  entity: number;
}

/** Sums per entity over a window on some engines; entities never seen in it have no row. */
export const entitySums = statement<
  EntityRow,
  { brandKey: number; start: string; end: string; engines: readonly string[] }
>(
  'entity_sums',
  `select entity, sum(present_runs)::bigint as present, sum(position_sum)::bigint as "positionSum",
     sum(weight_sum)::bigint as "weightSum", sum(positive)::bigint as positive, sum(neutral)::bigint as neutral,
     sum(negative)::bigint as negative, sum(citations)::bigint as citations
   from day_entity
   where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by entity`,
);

export interface DayTotals {
  readonly day: string;
  readonly runs: number;
  readonly citations: number;
}

/** Runs and citations. */
export const windowSumsByDay = statement<DayTotals, WindowBindings>(
  'window_sums_by_day',
  `select day, sum(run_count)::bigint as runs, sum(citations)::bigint as citations
   from day_scope where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by day`,
);

export interface EntityDay extends EntitySums {
  readonly day: string;
  /** 0 is the brand itself. */
  readonly entity: number;
}

/** Sums of every entity that was seen on the day. */
export const entitySumsByDay = statement<EntityDay, WindowBindings>(
  'entity_sums_by_day',
  `select day, entity, sum(present_runs)::bigint as present, sum(position_sum)::bigint as "positionSum",
     sum(weight_sum)::bigint as "weightSum", sum(positive)::bigint as positive, sum(neutral)::bigint as neutral,
     sum(negative)::bigint as negative, sum(citations)::bigint as citations
   from day_entity where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by day, entity`,
);

const ofBrand = (column: string): string => `coalesce(sum(${column}) filter (where entity = 0), 0)::bigint`;

/** Sums of the brand, and the presences of all entities. */
export const brandSumsByDay = statement<EntityDay & { presences: number }, WindowBindings>(
  'brand_sums_by_day',
  `select day, 0 as entity, sum(present_runs)::bigint as presences, ${ofBrand('present_runs')} as present,
     ${ofBrand('position_sum')} as "positionSum", ${ofBrand('weight_sum')} as "weightSum",
     ${ofBrand('positive')} as positive, ${ofBrand('neutral')} as neutral, ${ofBrand('negative')} as negative,
     ${ofBrand('citations')} as citations
   from day_entity where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by day`,
);

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

/**
 * Counts every shared run, prompt by prompt. Always one row.
 * @param count The runs of some rows.
 * @param rows The rows, which have a day and a prompt.
 */
export const byPrompt = (count: string, rows: string): string => `
  select coalesce(sum(now), 0)::bigint as "currentRuns",
    coalesce(sum(now) filter (where past > 0), 0)::bigint as "currentShared",
    coalesce(sum(past), 0)::bigint as "previousRuns",
    coalesce(sum(past) filter (where now > 0), 0)::bigint as "previousShared"
  from (
    select ${count} filter (where day >= :start) as now, ${count} filter (where day < :start) as past
    from ${rows} group by prompt_key
  ) prompts`;

/** On the blended engines. */
export const blendedPromptOverlap = statement<PanelOverlap, Omit<ComparedBindings, 'engines'>>(
  'blended_prompt_overlap',
  byPrompt('sum(run_count)', 'day_prompt where brand_key = :brandKey and day between :priorStart and :end'),
);

/** On any engines. The days are listed, so that the index finds the engines of each. */
export const promptOverlap = statement<PanelOverlap, ComparedBindings & { days: readonly string[] }>(
  'prompt_overlap',
  byPrompt(
    'sum(run_count)',
    `(
      select day, unnest(prompt_keys) as prompt_key, unnest(run_counts) as run_count from day_engine_prompts
      where brand_key = :brandKey and day = any(cast(:days as date[])) and engine = any(:engines)
    ) asked`,
  ),
);

// Sums over chosen runs, in the form of those that the roll-ups give.

export interface ChosenSums {
  /** Runs and citations of each day with runs. */
  days: DayTotals[];
  /** Sums by day of every entity that was seen on the day, or of the brand with the presences of all entities. */
  entities: (EntityDay & { presences?: number })[];
  /** The runs of prompts that were asked in both windows. */
  panel: PanelOverlap[];
  /** The runs by the surface that they state; the others are in no row. */
  surfaces: SurfaceRuns[];
}

const days = 'select day, count(*) as runs, sum(cardinality(c_url)) as citations from chosen group by day';

/** The sums of every entity in the runs `chosen`. @param of The columns that they are summed by. */
export const chosenEntities = (of: 'day' | 'day, cell'): string => `
  select ${of}, entity, sum(present) as present, sum(positions) as "positionSum", sum(weights) as "weightSum",
    sum(positive) as positive, sum(neutral) as neutral, sum(negative) as negative, sum(citations) as citations
  from (
    select ${of}, entity, count(*) as present, sum(position) as positions, sum(${POSITION_WEIGHT}) as weights,
      count(*) filter (where tone = 1) as positive, count(*) filter (where tone = 0) as neutral,
      count(*) filter (where tone = -1) as negative, 0 as citations
    from (
      select ${of}, n.entity, ${FIRST_MENTION}
      from (${mentionsOf('chosen', `run, ${of}`)}) m
      join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
      group by m.run, ${of}, n.entity
    ) presence
    group by ${of}, entity
    union all
    select ${of}, e.entity, 0, 0, 0, 0, 0, 0, count(*)
    from (select ${of}, unnest(c_url) as url_key from chosen offset 0) c
    join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
    join domain_entities e on e.brand_key = :brandKey and e.domain_key = u.domain_key
    group by ${of}, e.entity
  ) parts
  group by ${of}, entity`;

const surfaces = `
  select surface, ${inBothWindows('1')} from chosen where surface <> '' group by surface`;

/** The rows of a query as one value. */
export const rowsOf = (query: string): string => `(select coalesce(json_agg(row), '[]') from (${query}) row)`;

interface ChosenComparedBindings extends ChosenBindings {
  /** First day of the window before, which is summed too; that of the window itself: no other is. */
  priorStart: string;
}

/** The sums of both windows. Reads each run once. Always one row. */
export const chosenSums = plannedStatement<ChosenSums, ChosenComparedBindings>(
  'chosen_sums',
  `with chosen as materialized (
     select row_number() over () as run, day, prompt_key, surface, m_name, m_order, m_tone, c_url
     from ${chosenRuns(':priorStart')}
   )
   select ${rowsOf(days)} as days, ${rowsOf(chosenEntities('day'))} as entities, ${rowsOf(surfaces)} as surfaces,
     ${rowsOf(byPrompt('count(*)', 'chosen'))} as panel`,
);

/** Whether any run is chosen. Always one row. */
export const anyChosen = plannedStatement<{ hasRuns: boolean }, ChosenBindings>(
  'any_chosen',
  `select exists (select 1 from ${chosenRuns()}) as "hasRuns"`,
);
