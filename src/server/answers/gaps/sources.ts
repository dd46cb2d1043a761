/** Domains to win: what answers cite that name a rival and not the brand. */
import { IN_SCOPE } from '../sums/entity-sums.js';
import { BRAND_NAMES, chosenRuns, citationsOf, RIVAL_NAMES } from '../sums/run-choice.js';
import { ENGINE_BIT, overSources } from './request.js';

export interface SourceSums {
  readonly domain: string;
  readonly answers: number;
  readonly ownAnswers: number;
  readonly prompts: number;
  readonly engines: number;
  readonly rivals: readonly { readonly entity: number; readonly answers: number }[];
  readonly days: number;
  /** Days of the window with runs. */
  readonly daysWithRuns: number;
}

/** The rows of a roll-up by domain on the days of the window, as `x`, of the listed domains `t`. */
const ofTop = (table: string): string => `
  top t cross join unnest(cast(:days as date[])) as w(day)
  join ${table} x on x.brand_key = :brandKey and x.day = w.day and x.domain_key = t.domain_key
    and x.day between :start and :end`;

/**
 * The domains with the greatest answers × days; neither the brand's, nor a rival's, nor those of no host. `sums` counts the
 * answers that name a rival and not the brand; `details` are read of the listed domains only.
 */
export const sourceSums = overSources<
  SourceSums,
  Record<'with' | 'sums' | 'details' | 'asked' | 'own' | 'days' | 'rivals', string>
>(
  'top_source_gaps',
  {
    rollUp: {
      with: '',
      sums: `
        select domain_key, sum(answers)::bigint as answers, count(*) as days, bit_or(engines) as engines
        from day_rival_domain where brand_key = :brandKey and day between :start and :end group by domain_key`,
      details: `
        details as materialized (
          select x.domain_key, x.prompt_keys, x.rivals, x.rival_answers from ${ofTop('day_rival_domain')}
        ),`,
      asked: '(select domain_key, unnest(prompt_keys) as prompt_key from details) d',
      own: `(select x.domain_key, x.present_runs as answers from ${ofTop('day_domain')}) d`,
      days: `day_scope where ${IN_SCOPE}`,
      rivals: 'select domain_key, unnest(rivals) as rival, unnest(rival_answers) as answers from details',
    },
    runs: {
      with: `
        cells as materialized (
          select row_number() over () as run, day, prompt_key, ${ENGINE_BIT} as engine_bit, m_name, c_url,
            m_name && ${BRAND_NAMES} as present, m_name && ${RIVAL_NAMES} as rival
          from ${chosenRuns()}
        ),
        cited as materialized (
          select distinct c.run, c.present, u.domain_key
          from (${citationsOf('cells where present or rival', 'run, present')}) c
          join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
        ),
        found as materialized (
          select c.domain_key, r.run, r.day, r.prompt_key, r.engine_bit
          from cited c join cells r using (run) where not c.present
        ),`,
      sums: `
        select domain_key, count(*) as answers, count(distinct day) as days, bit_or(engine_bit) as engines
        from found group by domain_key`,
      details: '',
      asked: 'found',
      own: '(select domain_key, 1 as answers from cited where present) c',
      days: 'cells',
      rivals: `
        select f.domain_key, n.entity as rival, count(distinct f.run) as answers
        from found f
        join top using (domain_key)
        join (select run, unnest(m_name) as name_key from cells where rival and not present offset 0) m using (run)
        join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
        group by f.domain_key, n.entity`,
    },
  },
  ({ with: cells, sums, details, asked, own, days, rivals }) => `with ${cells}
   sums as (${sums}),
   top as materialized (
     select s.*, d.domain from sums s
     join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.domain_key
     where d.domain <> '' and not exists (
       select 1 from domain_entities e where e.brand_key = :brandKey and e.domain_key = s.domain_key)
     order by s.answers * s.days desc, d.domain limit :rows
   ),
   ${details}
   -- Not a count of distinct values, which sorts them.
   asked as (
     select domain_key, count(*) as prompts from (select distinct domain_key, prompt_key from ${asked}) each
     group by domain_key
   ),
   own as (select domain_key, sum(answers) as answers from ${own} group by domain_key),
   collected as (select count(distinct day) as days from ${days}),
   named as (
     select domain_key, json_agg(json_build_object('entity', rival, 'answers', answers)) as rivals
     from (select domain_key, rival, sum(answers)::bigint as answers from (${rivals}) r group by domain_key, rival) each
     group by domain_key
   )
   select t.domain, t.answers, coalesce(o.answers, 0)::bigint as "ownAnswers", p.prompts, t.engines, n.rivals, t.days,
     w.days as "daysWithRuns"
   from top t
   join named n using (domain_key)
   join asked p using (domain_key)
   left join own o using (domain_key)
   cross join collected w
   order by t.answers * t.days desc, t.domain`,
);
