/** Prompts where the brand is named second to fourth, and prompts where only rivals are named. Active prompts only. */
import { CITED_DOMAINS, REACH } from '../../../contract/reads/gaps.js';
import { plannedStatement } from '../../base/statement.js';
import {
  BRAND_NAMES,
  type ChosenBindings,
  chosenRuns,
  mentionsOf,
  POSITION_WEIGHT,
  RIVAL_NAMES,
} from '../sums/run-choice.js';
import { chosenIn, type GapRequest } from './request.js';

/** A rival and how many answers name it. */
export interface Named {
  readonly entity: number;
  readonly answers: number;
}

interface PromptSums {
  readonly promptKey: number;
  readonly id: string;
  readonly text: string;
  readonly runs: number;
}

export interface ReachSums extends PromptSums {
  readonly present: number;
  readonly weightSum: number;
  /** Answers in which the brand has the rank. */
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
  /** The rivals that are first in these answers; null: none is. */
  readonly leaders: readonly Named[] | null;
  /** Runs of every prompt. */
  readonly allRuns: number;
}

/** Rows of a roll-up by prompt, of the chosen prompts. */
const ofPrompts = (table: string): string => `${table}
     where brand_key = :brandKey and day between :start and :end
       and (cast(:promptKeys as integer[]) is null or prompt_key = any(cast(:promptKeys as integer[])))`;

/** The days with runs of chosen prompts on the blended engines. */
export const daysOfPrompts = plannedStatement<{ day: string }, ChosenBindings>(
  'days_of_gap_prompts',
  `select distinct day from ${ofPrompts('day_prompt')}`,
);

const REACHED = `between ${REACH.from} and ${REACH.to}`;

/** The rows of a query of `prompt_key`, `entity` and `answers`, as one list for each prompt. */
const listsOf = (query: string): string => `
  select prompt_key, json_agg(json_build_object('entity', entity, 'answers', answers)) as named
  from (${query}) each group by prompt_key`;

/** Every such prompt: which are worth most is known after the weights of its ranks are summed. */
const reachSums = plannedStatement<ReachSums, ChosenBindings>(
  'reach_sums',
  `with reached as materialized (
     select prompt_key, sum(second)::bigint as second, sum(third)::bigint as third, sum(fourth)::bigint as fourth
     from ${ofPrompts('day_rival_prompt')}
     group by prompt_key having sum(second + third + fourth) > 0
   ),
   sums as (
     select prompt_key, sum(run_count)::bigint as runs, sum(present_runs)::bigint as present,
       sum(weight_sum)::bigint as weights
     from ${ofPrompts('day_prompt')} group by prompt_key
   ),
   led as (${listsOf(`
     select prompt_key, entity, sum(times)::bigint as answers
     from (
       select prompt_key, unnest(leaders) as entity, unnest(leader_answers) as times
       from ${ofPrompts('day_rival_prompt')} and leaders is not null
     ) l
     group by prompt_key, entity`)})
   select r.prompt_key as "promptKey", p.id, p.text, s.runs, s.present, s.weights as "weightSum", r.second, r.third,
     r.fourth, l.named as leaders, (select sum(runs) from sums)::bigint as "allRuns"
   from reached r
   join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key and p.active
   join sums s on s.prompt_key = r.prompt_key
   left join led l on l.prompt_key = r.prompt_key`,
);

/** The ranks of the brand and of the rivals that are first, in the runs that name the brand. */
export const chosenReachSums = plannedStatement<ReachSums, ChosenBindings>(
  'chosen_reach_sums',
  `with chosen as materialized (
     select row_number() over () as run, prompt_key, m_name, m_order, m_tone, m_name && ${BRAND_NAMES} as present
     from ${chosenRuns()}
   ),
   asked as (select prompt_key, count(*) as runs from chosen group by prompt_key),
   ranked as materialized (
     select m.run, m.prompt_key, min(m.position) filter (where n.entity = 0) as position,
       array_agg(distinct n.entity) filter (where n.entity > 0 and m.position = 1) as leaders
     from (${mentionsOf('chosen where present', 'run, prompt_key')}) m
     join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
     group by m.run, m.prompt_key
   ),
   sums as (
     select prompt_key, count(*) as present, sum(${POSITION_WEIGHT})::bigint as weights,
       count(*) filter (where position = 2) as second, count(*) filter (where position = 3) as third,
       count(*) filter (where position = 4) as fourth
     from ranked group by prompt_key
   ),
   led as (${listsOf(`
     select prompt_key, entity, count(*) as answers
     from (select prompt_key, unnest(leaders) as entity from ranked where position ${REACHED} offset 0) l
     group by prompt_key, entity`)})
   select s.prompt_key as "promptKey", p.id, p.text, a.runs, s.present, s.weights as "weightSum", s.second, s.third,
     s.fourth, l.named as leaders, (select count(*) from chosen) as "allRuns"
   from sums s
   join asked a on a.prompt_key = s.prompt_key
   join prompts p on p.brand_key = :brandKey and p.prompt_key = s.prompt_key and p.active
   left join led l on l.prompt_key = s.prompt_key
   where s.second + s.third + s.fourth > 0`,
);

export const reachOf = (request: GapRequest): Promise<ReachSums[]> =>
  request.rolledUp
    ? reachSums(request.db, chosenIn(request))
    : chosenReachSums(request.db, chosenIn(request));

export interface AbsentSums extends PromptSums {
  readonly rivals: readonly Named[];
  /** The domains that most of its answers cite; null: they cite none. */
  readonly cited: readonly { readonly domain: string; readonly answers: number }[] | null;
}

/** @param named, cited Queries of `prompt_key`, `entity` or `domain_key`, and `answers`, of the prompts of `top`. */
const absentRows = (named: string, cited: string): string => `
  named as (${listsOf(named)}),
  ranked as (
    select *, rank() over (partition by prompt_key order by answers desc) as rank
    from (${cited}) each
    where domain_key <> all(array(
      select domain_key from cited_domains where brand_key = :brandKey and hash = sha256('')))
  ),
  placed as (
    select r.prompt_key, d.domain, r.answers,
      row_number() over (partition by r.prompt_key order by r.answers desc, d.domain) as place
    from ranked r join cited_domains d on d.brand_key = :brandKey and d.domain_key = r.domain_key
    where r.rank <= ${CITED_DOMAINS}
  ),
  domains as (
    select prompt_key, json_agg(json_build_object('domain', domain, 'answers', answers) order by place) as cited
    from placed where place <= ${CITED_DOMAINS} group by prompt_key
  )
  select t.prompt_key as "promptKey", t.id, t.text, t.runs, n.named as rivals, d.cited
  from top t
  join named n on n.prompt_key = t.prompt_key
  left join domains d on d.prompt_key = t.prompt_key
  order by t.runs desc, t.id`;

const absentSums = plannedStatement<AbsentSums, ChosenBindings & { rows: number }>(
  'absent_sums',
  `with asked as (
     select prompt_key, sum(run_count)::bigint as runs from ${ofPrompts('day_prompt')}
     group by prompt_key having sum(present_runs) = 0
   ),
   rivals as (
     select distinct prompt_key from ${ofPrompts('day_rival_prompt')} and rivals is not null
   ),
   top as materialized (
     select p.prompt_key, p.id, p.text, a.runs
     from asked a
     join rivals r using (prompt_key)
     join prompts p on p.brand_key = :brandKey and p.prompt_key = a.prompt_key and p.active
     order by a.runs desc, p.id limit :rows
   ),
   details as materialized (
     select x.* from day_rival_prompt x
     where x.brand_key = :brandKey and x.day between :start and :end and x.prompt_key in (select prompt_key from top)
   ),
   ${absentRows(
     `select prompt_key, entity, sum(times)::bigint as answers
      from (select prompt_key, unnest(rivals) as entity, unnest(rival_answers) as times from details) d
      group by prompt_key, entity`,
     `select prompt_key, domain_key, sum(times)::bigint as answers
      from (select prompt_key, unnest(domain_keys) as domain_key, unnest(domain_answers) as times from details) d
      group by prompt_key, domain_key`,
   )}`,
);

export const chosenAbsentSums = plannedStatement<AbsentSums, ChosenBindings & { rows: number }>(
  'chosen_absent_sums',
  `with asked as materialized (
     select prompt_key, count(*) as runs, bool_or(m_name && ${RIVAL_NAMES}) as named
     from ${chosenRuns()}
     group by prompt_key having not bool_or(m_name && ${BRAND_NAMES})
   ),
   top as materialized (
     select p.prompt_key, p.id, p.text, a.runs
     from asked a join prompts p on p.brand_key = :brandKey and p.prompt_key = a.prompt_key and p.active
     where a.named order by a.runs desc, p.id limit :rows
   ),
   chosen as materialized (
     select row_number() over () as run, prompt_key, m_name, c_url from ${chosenRuns()}
       and prompt_key = any(array(select prompt_key from top)) and m_name && ${RIVAL_NAMES}
   ),
   ${absentRows(
     `select m.prompt_key, n.entity, count(distinct m.run) as answers
      from (select run, prompt_key, unnest(m_name) as name_key from chosen offset 0) m
      join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
      group by m.prompt_key, n.entity`,
     `select c.prompt_key, u.domain_key, count(distinct c.run) as answers
      from (select run, prompt_key, unnest(c_url) as url_key from chosen offset 0) c
      join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
      group by c.prompt_key, u.domain_key`,
   )}`,
);

export const absentOf = (request: GapRequest): Promise<AbsentSums[]> =>
  request.rolledUp
    ? absentSums(request.db, chosenIn(request))
    : chosenAbsentSums(request.db, chosenIn(request));
