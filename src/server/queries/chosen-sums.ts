/** Sums over chosen runs, in the form of those that the roll-ups give. */
import type { PanelOverlap } from '../metrics/intervals/change.js';
import { byPrompt } from './panel-overlap.js';
import { FIRST_MENTION, mentionsOf, POSITION_WEIGHT } from './run-arrays.js';
import { type ChosenBindings, chosenRuns } from './run-choice.js';
import { statement } from './statement.js';
import type { EntityDay } from './sums-by-day.js';
import type { SurfaceRuns } from './surfaces.js';

/** Runs and citations by day. */
export const chosenWindowSums = statement<{ day: string; runs: number; citations: number }, ChosenBindings>(
  'chosen_window_sums',
  `select day, count(*) as runs, sum(cardinality(c_url))::bigint as citations
   from ${chosenRuns()} group by day`,
);

/** Sums by day of every entity that was seen on the day. */
export const chosenEntitySums = statement<EntityDay, ChosenBindings>(
  'chosen_entity_sums',
  `with chosen as materialized (
     select row_number() over () as run, day, m_name, m_order, m_tone, c_url from ${chosenRuns()}
   ),
   presence as (
     select m.day, n.entity, ${FIRST_MENTION}
     from (${mentionsOf('chosen', 'run, day')}) m
     join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
     group by m.run, m.day, n.entity
   ),
   cited as (
     select day, url_key, count(*) as citations
     from (select day, unnest(c_url) as url_key from chosen offset 0) c group by day, url_key
   )
   select day, entity, sum(present)::bigint as present, sum(positions)::bigint as "positionSum",
     sum(weights)::bigint as "weightSum", sum(positive)::bigint as positive, sum(neutral)::bigint as neutral,
     sum(negative)::bigint as negative, sum(citations)::bigint as citations
   from (
     select day, entity, count(*) as present, sum(position) as positions, sum(${POSITION_WEIGHT}) as weights,
       count(*) filter (where tone = 1) as positive, count(*) filter (where tone = 0) as neutral,
       count(*) filter (where tone = -1) as negative, 0 as citations
     from presence group by day, entity
     union all
     select c.day, e.entity, 0, 0, 0, 0, 0, 0, sum(c.citations)
     from cited c
     join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
     join domain_entities e on e.brand_key = :brandKey and e.domain_key = u.domain_key
     group by c.day, e.entity
   ) parts
   group by day, entity`,
);

/** How many runs are of prompts that were asked in both windows. Always one row. */
export const chosenPromptOverlap = statement<PanelOverlap, ChosenBindings & { priorStart: string }>(
  'chosen_prompt_overlap',
  byPrompt('count(*)', chosenRuns(':priorStart')),
);

/** The runs by the surface that they state; the others are in no row. */
export const chosenSurfaces = statement<SurfaceRuns, ChosenBindings>(
  'chosen_surfaces',
  `select surface, count(*) as runs from ${chosenRuns()} and surface <> '' group by surface order by surface`,
);

/** Whether any run is chosen. Always one row. */
export const anyChosen = statement<{ hasRuns: boolean }, ChosenBindings>(
  'any_chosen',
  `select exists (select 1 from ${chosenRuns()}) as "hasRuns"`,
);
