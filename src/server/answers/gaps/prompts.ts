/** Prompts where the brand is named second to fourth, and prompts where only rivals are named. Active prompts only. */
import { CITED_DOMAINS, REACH } from '../../../contract/reads/gaps.js';
import {
  BRAND_NAMES,
  chosenRuns,
  citationsOf,
  IN_PROMPTS,
  mentionsOf,
  POSITION_WEIGHT,
  RIVAL_NAMES,
} from '../sums/run-choice.js';
import { overSources } from './request.js';

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
const ofPrompts = (table: string): string =>
  `${table} where brand_key = :brandKey and day between :start and :end and ${IN_PROMPTS}`;

const REACHED = `between ${REACH.from} and ${REACH.to}`;

/** One list for each prompt. @param rows Rows of `prompt_key`, `entity` and `answers`. */
const listsOf = (rows: string): string => `
  select prompt_key, json_agg(json_build_object('entity', entity, 'answers', answers)) as named
  from (
    select prompt_key, entity, sum(answers)::bigint as answers from (${rows}) l group by prompt_key, entity
  ) each group by prompt_key`;

/** Every such prompt: which are worth most is known after the weights of its ranks are summed. */
export const reachOf = overSources<ReachSums, Record<'with' | 'ranks' | 'asked' | 'leaders', string>>(
  'reach_sums',
  {
    rollUp: {
      with: '',
      ranks: ofPrompts('day_rival_prompt'),
      asked: ofPrompts('day_prompt'),
      leaders: `
        select prompt_key, unnest(leaders) as entity, unnest(leader_answers) as answers
        from ${ofPrompts('day_rival_prompt')} and leaders is not null`,
    },
    runs: {
      with: `
        cells as materialized (
          select row_number() over () as run, prompt_key, m_name, m_order, m_tone, m_name && ${BRAND_NAMES} as present
          from ${chosenRuns()}
        ),
        ranked as materialized (
          select m.run, m.prompt_key, min(m.position) filter (where n.entity = 0) as position,
            array_agg(distinct n.entity) filter (where n.entity > 0 and m.position = 1) as leaders
          from (${mentionsOf('cells where present', 'run, prompt_key')}) m
          join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
          group by m.run, m.prompt_key
        ),`,
      ranks: `(
        select prompt_key, cast(position = 2 as integer) as second, cast(position = 3 as integer) as third,
          cast(position = 4 as integer) as fourth
        from ranked
      ) r`,
      asked: `(
        select prompt_key, 1 as run_count, 0 as present_runs, 0 as weight_sum from cells
        union all
        select prompt_key, 0, 1, ${POSITION_WEIGHT} from ranked
      ) a`,
      leaders: `
        select prompt_key, unnest(leaders) as entity, 1 as answers from ranked where position ${REACHED} offset 0`,
    },
  },
  ({ with: cells, ranks, asked, leaders }) => `with ${cells}
   reached as materialized (
     select prompt_key, sum(second)::bigint as second, sum(third)::bigint as third, sum(fourth)::bigint as fourth
     from ${ranks} group by prompt_key having sum(second + third + fourth) > 0
   ),
   sums as (
     select prompt_key, sum(run_count)::bigint as runs, sum(present_runs)::bigint as present,
       sum(weight_sum)::bigint as weights
     from ${asked} group by prompt_key
   ),
   led as (${listsOf(leaders)})
   select r.prompt_key as "promptKey", p.id, p.text, s.runs, s.present, s.weights as "weightSum", r.second, r.third,
     r.fourth, l.named as leaders, (select sum(runs) from sums)::bigint as "allRuns"
   from reached r
   join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key and p.active
   join sums s on s.prompt_key = r.prompt_key
   left join led l on l.prompt_key = r.prompt_key`,
);

export interface AbsentSums extends PromptSums {
  readonly rivals: readonly Named[];
  /** The domains that most of its answers cite; null: they cite none. */
  readonly cited: readonly { readonly domain: string; readonly answers: number }[] | null;
}

/**
 * The prompts with the most answers that name rivals and never the brand. `asked` are rows of prompts with their runs, `rivals`
 * those of prompts that name a rival; `details` are read of the listed prompts only, `named` and `cited` are rows of them.
 */
export const absentOf = overSources<
  AbsentSums,
  Record<'with' | 'asked' | 'rivals' | 'details' | 'named' | 'cited', string>
>(
  'absent_sums',
  {
    rollUp: {
      with: '',
      asked: ofPrompts('day_prompt'),
      rivals: `${ofPrompts('day_rival_prompt')} and rivals is not null`,
      details: `
        select x.* from day_rival_prompt x
        where x.brand_key = :brandKey and x.day between :start and :end and x.prompt_key in (select prompt_key from top)`,
      named: 'select prompt_key, unnest(rivals) as entity, unnest(rival_answers) as answers from details',
      cited:
        'select prompt_key, unnest(domain_keys) as domain_key, unnest(domain_answers) as answers from details',
    },
    runs: {
      with: `
        cells as materialized (
          select prompt_key, count(*) as run_count, count(*) filter (where m_name && ${BRAND_NAMES}) as present_runs,
            bool_or(m_name && ${RIVAL_NAMES}) as named
          from ${chosenRuns()} group by prompt_key
        ),`,
      asked: 'cells',
      rivals: 'cells where named',
      details: `
        select row_number() over () as run, prompt_key, m_name, c_url from ${chosenRuns()}
          and prompt_key = any(array(select prompt_key from top)) and m_name && ${RIVAL_NAMES}`,
      named: `
        select m.prompt_key, n.entity, count(distinct m.run) as answers
        from (select run, prompt_key, unnest(m_name) as name_key from details offset 0) m
        join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
        group by m.prompt_key, n.entity`,
      cited: `
        select c.prompt_key, u.domain_key, count(distinct c.run) as answers
        from (${citationsOf('details', 'run, prompt_key')}) c
        join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
        group by c.prompt_key, u.domain_key`,
    },
  },
  ({ with: cells, asked, rivals, details, named, cited }) => `with ${cells}
   asked as (
     select prompt_key, sum(run_count)::bigint as runs from ${asked} group by prompt_key having sum(present_runs) = 0
   ),
   rivals as (select distinct prompt_key from ${rivals}),
   top as materialized (
     select p.prompt_key, p.id, p.text, a.runs
     from asked a
     join rivals r using (prompt_key)
     join prompts p on p.brand_key = :brandKey and p.prompt_key = a.prompt_key and p.active
     order by a.runs desc, p.id limit :rows
   ),
   details as materialized (${details}),
   named as (${listsOf(named)}),
   ranked as (
     select *, rank() over (partition by prompt_key order by answers desc) as rank
     from (
       select prompt_key, domain_key, sum(answers)::bigint as answers from (${cited}) c group by prompt_key, domain_key
     ) each
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
   order by t.runs desc, t.id`,
);
