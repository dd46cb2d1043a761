/** Domains to win: what answers cite that name a rival and not the brand. */
import { everyDayOf } from '../../base/days.js';
import { plannedStatement, type WindowBindings } from '../../base/statement.js';
import { BRAND_NAMES, type ChosenBindings, chosenRuns, RIVAL_NAMES } from '../sums/run-choice.js';
import { chosenIn, ENGINE_BIT, type GapRequest } from './request.js';

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

/** The domains of `sums` with the greatest answers × days; neither the brand's, nor a rival's, nor those of no host. */
const TOP = `
  top as materialized (
    select s.*, d.domain from sums s
    join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.domain_key
    where d.domain <> '' and not exists (
      select 1 from domain_entities e where e.brand_key = :brandKey and e.domain_key = s.domain_key)
    order by s.answers * s.days desc, d.domain limit :rows
  )`;

/** @param rivals A query of `domain_key`, `rival` and `answers`. */
const listed = (rivals: string): string => `
  named as (
    select domain_key, json_agg(json_build_object('entity', rival, 'answers', answers)) as rivals
    from (${rivals}) each group by domain_key
  )
  select t.domain, t.answers, coalesce(o.answers, 0)::bigint as "ownAnswers", p.prompts, t.engines, n.rivals, t.days,
    w.days as "daysWithRuns"
  from top t
  join named n using (domain_key)
  join asked p using (domain_key)
  left join own o using (domain_key)
  cross join collected w
  order by t.answers * t.days desc, t.domain`;

const topSources = plannedStatement<SourceSums, WindowBindings & { days: readonly string[]; rows: number }>(
  'top_source_gaps',
  `with sums as (
     select domain_key, sum(answers)::bigint as answers, count(*) as days, bit_or(engines) as engines
     from day_rival_domain where brand_key = :brandKey and day between :start and :end group by domain_key
   ),
   ${TOP},
   details as materialized (
     select x.domain_key, x.prompt_keys, x.rivals, x.rival_answers
     from top t cross join unnest(cast(:days as date[])) as w(day)
     join day_rival_domain x on x.brand_key = :brandKey and x.day = w.day and x.domain_key = t.domain_key
       and x.day between :start and :end
   ),
   asked as (
     select domain_key, count(distinct prompt_key) as prompts
     from (select domain_key, unnest(prompt_keys) as prompt_key from details) d group by domain_key
   ),
   own as (
     select x.domain_key, sum(x.present_runs) as answers
     from top t cross join unnest(cast(:days as date[])) as w(day)
     join day_domain x on x.brand_key = :brandKey and x.day = w.day and x.domain_key = t.domain_key
       and x.day between :start and :end
     group by x.domain_key
   ),
   collected as (
     select count(distinct day) as days from day_scope
     where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   ),
   ${listed(`
     select domain_key, rival, sum(times)::bigint as answers
     from (select domain_key, unnest(rivals) as rival, unnest(rival_answers) as times from details) d
     group by domain_key, rival`)}`,
);

export const topChosenSources = plannedStatement<
  SourceSums,
  ChosenBindings & { engineBits: readonly string[]; rows: number }
>(
  'top_chosen_source_gaps',
  `with chosen as materialized (
     select row_number() over () as run, day, prompt_key, ${ENGINE_BIT} as engine_bit, m_name, c_url,
       m_name && ${BRAND_NAMES} as present, m_name && ${RIVAL_NAMES} as rival
     from ${chosenRuns()}
   ),
   cited as materialized (
     select distinct c.run, c.present, u.domain_key
     from (select run, present, unnest(c_url) as url_key from chosen where present or rival offset 0) c
     join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
   ),
   found as materialized (
     select c.domain_key, r.run, r.day, r.prompt_key, r.engine_bit
     from cited c join chosen r using (run) where not c.present
   ),
   sums as (
     select domain_key, count(*) as answers, count(distinct day) as days, bit_or(engine_bit) as engines
     from found group by domain_key
   ),
   ${TOP},
   asked as (select domain_key, count(distinct prompt_key) as prompts from found group by domain_key),
   own as (select domain_key, count(*) as answers from cited where present group by domain_key),
   collected as (select count(distinct day) as days from chosen),
   ${listed(`
     select f.domain_key, n.entity as rival, count(distinct f.run) as answers
     from found f
     join top using (domain_key)
     join (select run, unnest(m_name) as name_key from chosen where rival and not present offset 0) m using (run)
     join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
     group by f.domain_key, n.entity`)}`,
);

export const sourceSums = (request: GapRequest): Promise<SourceSums[]> =>
  request.rolledUp
    ? topSources(request.db, { ...chosenIn(request), days: everyDayOf(request.window) })
    : topChosenSources(request.db, chosenIn(request));
