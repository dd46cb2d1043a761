/** Sums over chosen runs, in the form of those that the roll-ups give. */
import type { PanelOverlap } from '../metrics/intervals/change.js';
import { byPrompt } from './panel-overlap.js';
import { FIRST_MENTION, mentionsOf, POSITION_WEIGHT } from './run-arrays.js';
import { type ChosenBindings, chosenRuns } from './run-choice.js';
import { plannedStatement } from './statement.js';
import type { DayTotals, EntityDay } from './sums-by-day.js';
import type { SurfaceRuns } from './surfaces.js';

export interface ChosenSums {
  /** Runs and citations of each day with runs. */
  days: DayTotals[];
  /** Sums by day of every entity that was seen on the day. */
  entities: EntityDay[];
  /** The runs of prompts that were asked in both windows. */
  panel: PanelOverlap[];
  /** The runs of the current window by the surface that they state; the others are in no row. */
  surfaces: SurfaceRuns[];
}

const days = 'select day, count(*) as runs, sum(cardinality(c_url)) as citations from chosen group by day';

const entities = `
  select day, entity, sum(present) as present, sum(positions) as "positionSum", sum(weights) as "weightSum",
    sum(positive) as positive, sum(neutral) as neutral, sum(negative) as negative, sum(citations) as citations
  from (
    select day, entity, count(*) as present, sum(position) as positions, sum(${POSITION_WEIGHT}) as weights,
      count(*) filter (where tone = 1) as positive, count(*) filter (where tone = 0) as neutral,
      count(*) filter (where tone = -1) as negative, 0 as citations
    from (
      select m.day, n.entity, ${FIRST_MENTION}
      from (${mentionsOf('chosen', 'run, day')}) m
      join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
      group by m.run, m.day, n.entity
    ) presence
    group by day, entity
    union all
    select c.day, e.entity, 0, 0, 0, 0, 0, 0, count(*)
    from (select day, unnest(c_url) as url_key from chosen offset 0) c
    join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
    join domain_entities e on e.brand_key = :brandKey and e.domain_key = u.domain_key
    group by c.day, e.entity
  ) parts
  group by day, entity`;

const surfaces = `
  select surface, count(*) as runs from chosen where day >= :start and surface <> '' group by surface`;

const rows = (query: string): string => `(select coalesce(json_agg(row), '[]') from (${query}) row)`;

interface ComparedBindings extends ChosenBindings {
  /** First day of the window before, which is summed too; that of the window itself: no other is. */
  priorStart: string;
}

/** The sums of both windows. Reads each run once. Always one row. */
export const chosenSums = plannedStatement<ChosenSums, ComparedBindings>(
  'chosen_sums',
  `with chosen as materialized (
     select row_number() over () as run, day, prompt_key, surface, m_name, m_order, m_tone, c_url
     from ${chosenRuns(':priorStart')}
   )
   select ${rows(days)} as days, ${rows(entities)} as entities, ${rows(surfaces)} as surfaces,
     ${rows(byPrompt('count(*)', 'chosen'))} as panel`,
);

/** Whether any run is chosen. Always one row. */
export const anyChosen = plannedStatement<{ hasRuns: boolean }, ChosenBindings>(
  'any_chosen',
  `select exists (select 1 from ${chosenRuns()}) as "hasRuns"`,
);
