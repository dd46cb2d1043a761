/** What chosen runs cite, in the form of what the roll-ups give. */
import { type BrandWindow, plannedStatement, statement } from '../statement.js';
import { type ChosenBindings, chosenRuns, MENTIONS_BRAND } from './run-choice.js';

/** Parts of statements about a few of the pages that a brand's answers cite. */

/** The pages of a domain that any answer cited. `domain` is the name of a binding. */
export const urlsOfDomain = (domain: string): string => `
  select u.url_key from cited_domains d
  join cited_urls u on u.brand_key = :brandKey and u.domain_key = d.domain_key
  where d.brand_key = :brandKey and d.hash = sha256(convert_to(${domain}, 'UTF8'))`;

/**
 * The rows of `day_url`, as `x`, of some pages on `:days`, which are the days from `:start` to `:end`. The days are listed,
 * so that the planner can look up each page on each day; for many pages it reads the window instead.
 */
export const citedOnDays = (pages: string): string => `
  ${pages} p cross join unnest(cast(:days as date[])) as w(day)
  join day_url x on x.brand_key = :brandKey and x.day = w.day and x.url_key = p.url_key
    and x.day between :start and :end`;

export interface CitedDomainRow {
  domain: string;
  citations: number;
  brandPresent: boolean;
}

interface DomainBindings extends BrandWindow {
  rows: number;
}

const cited = `
  select d.domain, s.citations::bigint as citations, s.present > 0 as "brandPresent"
  from (
    select domain_key, sum(citations) as citations, sum(present_runs) as present
    from day_domain where brand_key = :brandKey and day between :start and :end group by domain_key
  ) s
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.domain_key`;

export const topDomains = statement<CitedDomainRow, DomainBindings>(
  'top_domains',
  `${cited} order by s.citations desc, d.domain limit :rows`,
);

/** All cited domains of a window by name, after a given one. */
export const domainsByName = statement<CitedDomainRow, DomainBindings & { after: string | null }>(
  'domains_by_name',
  `${cited} where cast(:after as text) is null or d.domain > :after order by d.domain limit :rows`,
);

export interface CitedUrlRow {
  url: string;
  domain: string;
  title: string | null;
  pageType: string | null;
  citations: number;
  priorCitations: number;
  answers: number;
  engines: number;
  brandPresent: boolean;
}

interface WindowsBindings extends Record<string, unknown> {
  brandKey: number;
  start: string;
  end: string;
  priorStart: string;
  priorEnd: string;
  /** The days of the current window. */
  days: readonly string[];
  priorDays: readonly string[];
  rows: number;
}

/**
 * The rows of one URL on some days: a probe of the primary key for each day. A range of days would read the rows of all
 * URLs in the range.
 */
const rowsOf = (url: string, days: string): string =>
  `day_url x where x.brand_key = :brandKey and x.url_key = ${url} and x.day = any(${days})`;
const days = 'cast(:days as date[])';
const priorDays = 'cast(:priorDays as date[])';

/** Joins the rows of `chosen` (keys, current sums, prior counts) to URLs, domains and the newest stated title. */
const described = `
  select u.url, d.domain, t.title, case when t.title_key is null then u.page_type else t.page_type end as "pageType",
    c.citations, c.prior as "priorCitations", c.answers, c.engines, c.present > 0 as "brandPresent"
  from chosen c
  join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = u.domain_key
  left join lateral (
    select title_key from ${rowsOf('c.url_key', `${priorDays} || ${days}`)} and x.title_key is not null
    order by x.day desc limit 1
  ) newest on true
  left join page_titles t on t.brand_key = :brandKey and t.title_key = newest.title_key`;

/** Pages whose citations are summed one by one: for more of them reading the window is cheaper. */
const FEW = 10;

/**
 * The citations of the URLs that may be listed, and of others. The sums of the URLs that are cited most on one day show how
 * many citations the last listed URL has at least. So each listed URL has its share of them, or more, on some day: only the
 * URLs with such a day are summed. Where these are many, because all are cited about as often, every URL is.
 */
const counted = `
   heads as materialized (
     select url_key from day_url
     where brand_key = :brandKey and day = (
       select day from day_scope where brand_key = :brandKey and day between :start and :end
       group by day order by sum(citations) desc, day desc limit 1)
     order by citations desc limit :rows
   ),
   share as materialized (
     select case when count(*) = :rows then ceil(min(sums.citations) / cardinality(${days})) else 0 end as citations
     from heads cross join lateral (
       select sum(x.citations) as citations from ${rowsOf('heads.url_key', days)}
     ) sums
   ),
   candidates as materialized (
     select distinct url_key from day_url
     where brand_key = :brandKey and day between :start and :end and (select citations from share) > 1
       and citations >= (select cast(citations as integer) from share)
   ),
   choice as materialized (
     select share.citations > 1 and (select count(*) from candidates) <= ${FEW} * :rows as few from share
   ),
   now as (
     select c.url_key, sums.citations from candidates c cross join lateral (
       select sum(x.citations)::bigint as citations from ${rowsOf('c.url_key', days)}
     ) sums
     where (select few from choice)
     union all
     select url_key, sum(citations)::bigint from day_url
     where brand_key = :brandKey and day between :start and :end and not (select few from choice) group by url_key
   )`;

/**
 * The most cited URLs. Prior citations are summed for the URLs down to the last rank, ties included, and everything else
 * for the rows that are returned. URLs that were cited only in the prior window fill up a short list.
 */
export const topUrls = plannedStatement<CitedUrlRow, WindowsBindings>(
  'top_urls',
  `with ${counted},
   top as materialized (
     select url_key, citations
     from (select url_key, citations, rank() over (order by citations desc) as rank from now) ranks
     where rank <= :rows
   ),
   past as (
     select url_key, sum(citations)::bigint as prior from day_url p
     where brand_key = :brandKey and day between :priorStart and :priorEnd
       and (select count(*) from top) < :rows
       and not exists (select 1 from top where top.url_key = p.url_key)
     group by url_key
   ),
   ranked as (
     select url_key, citations,
       coalesce((select sum(x.citations) from ${rowsOf('top.url_key', priorDays)}), 0)::bigint as prior
     from top
     union all
     select url_key, 0::bigint, prior from past
   ),
   listed as materialized (
     select r.*, (select u.url from cited_urls u where u.brand_key = :brandKey and u.url_key = r.url_key) as url
     from ranked r order by citations desc, prior desc, url limit :rows
   ),
   chosen as (
     select l.url_key, l.citations, l.prior, sums.* from listed l cross join lateral (
       select coalesce(sum(x.answers), 0)::bigint as answers, coalesce(bit_or(x.engines), 0) as engines,
         coalesce(sum(x.present_runs), 0)::bigint as present
       from ${rowsOf('l.url_key', days)}
     ) sums
   )
   ${described}
   order by c.citations desc, c.prior desc, u.url`,
);

/** All URLs cited in either window by url, after a given one. */
export const urlsByUrl = plannedStatement<CitedUrlRow, WindowsBindings & { after: string | null }>(
  'urls_by_url',
  `with counted as (
     select url_key,
       coalesce(sum(citations) filter (where day >= :start), 0)::bigint as citations,
       coalesce(sum(citations) filter (where day < :start), 0)::bigint as prior,
       coalesce(sum(answers) filter (where day >= :start), 0)::bigint as answers,
       coalesce(bit_or(engines) filter (where day >= :start), 0) as engines,
       coalesce(sum(present_runs) filter (where day >= :start), 0)::bigint as present
     from day_url where brand_key = :brandKey and day between :priorStart and :end group by url_key
   ),
   chosen as (
     select c.* from counted c join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
     where cast(:after as text) is null or u.url > :after
     order by u.url limit :rows
   )
   ${described}
   order by u.url`,
);

interface Listed extends ChosenBindings {
  rows: number;
}

const domains = `
  with chosen as materialized (select ${MENTIONS_BRAND} as present, c_url from ${chosenRuns()}),
  cited as (
    select url_key, count(*) as citations, bool_or(present) as present
    from (select present, unnest(c_url) as url_key from chosen offset 0) c group by url_key
  )
  select d.domain, s.citations, s.present as "brandPresent"
  from (
    select u.domain_key, sum(c.citations)::bigint as citations, bool_or(c.present) as present
    from cited c join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
    group by u.domain_key
  ) s
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.domain_key`;

export const topChosenDomains = plannedStatement<CitedDomainRow, Listed>(
  'top_chosen_domains',
  `${domains} order by s.citations desc, d.domain limit :rows`,
);

/** All cited domains by name, after a given one. */
export const chosenDomainsByName = plannedStatement<CitedDomainRow, Listed & { after: string | null }>(
  'chosen_domains_by_name',
  `${domains} where cast(:after as text) is null or d.domain > :after order by d.domain limit :rows`,
);

interface ListedUrls extends Listed {
  /** First day of the window before; the current one follows it. */
  priorStart: string;
  /** Every engine id, in the order of the bits of a mask. */
  engineBits: readonly string[];
}

/** The URLs that either window cites, and how often. */
const countedChosen = `
  chosen as materialized (
    select day >= :start as now, collected_at, id, ${MENTIONS_BRAND} as present, c_url, c_title,
      1 << array_position(cast(:engineBits as text[]), engine) - 1 as engine_bit
    from ${chosenRuns(':priorStart')}
  ),
  counted as (
    select url_key, count(*) filter (where now) as citations, count(*) filter (where not now) as prior
    from (select now, unnest(c_url) as url_key from chosen offset 0) c group by url_key
  )`;

/** The row of a URL. The key is looked up, because few of the brand's URLs are listed. */
const lookedUp = (key: string): string => `
  cross join lateral (
    select url, domain_key, page_type from cited_urls where brand_key = :brandKey and url_key = ${key} offset 0
  ) u`;

const citations = `
  unnest(c_url) as url_key, unnest(c_title) as title_key, generate_subscripts(c_url, 1) as place from chosen`;

/**
 * The rows of `listed` with what is summed for them only, their domains, and the title that the newest chosen run states.
 */
const describedChosen = `
  sums as materialized (
    select url_key, count(*) filter (where now and array_position(c_url, url_key) = place) as answers,
      coalesce(bit_or(engine_bit) filter (where now), 0) as engines,
      coalesce(bool_or(present) filter (where now), false) as present,
      max(collected_at) filter (where title_key is not null) as titled_at
    from (select now, collected_at, engine_bit, present, c_url, ${citations} offset 0) c
    where url_key in (select url_key from listed) group by url_key
  ),
  newest as (
    select s.url_key, (array_agg(c.title_key order by c.id desc, c.place))[1] as title_key
    from sums s
    join (
      select collected_at, id, ${citations} where collected_at in (select titled_at from sums) offset 0
    ) c on c.url_key = s.url_key and c.collected_at = s.titled_at
    where c.title_key is not null group by s.url_key
  )
  select l.url, d.domain, t.title, case when t.title_key is null then l.page_type else t.page_type end as "pageType",
    l.citations, l.prior as "priorCitations", s.answers, s.engines, s.present as "brandPresent"
  from listed l
  join sums s on s.url_key = l.url_key
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = l.domain_key
  left join newest n on n.url_key = l.url_key
  left join page_titles t on t.brand_key = :brandKey and t.title_key = n.title_key`;

/** The URLs that are cited most; only those down to the last rank, ties included, are looked up. */
export const topChosenUrls = plannedStatement<CitedUrlRow, ListedUrls>(
  'top_chosen_urls',
  `with ${countedChosen},
   top as (
     select * from (
       select counted.*, rank() over (order by citations desc, prior desc) as rank from counted
     ) ranks where rank <= :rows
   ),
   listed as materialized (
     select top.*, u.url, u.domain_key, u.page_type from top ${lookedUp('top.url_key')}
     order by citations desc, prior desc, u.url limit :rows
   ),
   ${describedChosen}
   order by l.citations desc, l.prior desc, l.url`,
);

/** All URLs by url, after a given one. */
export const chosenUrlsByUrl = plannedStatement<CitedUrlRow, ListedUrls & { after: string | null }>(
  'chosen_urls_by_url',
  `with ${countedChosen},
   listed as materialized (
     select c.*, u.url, u.domain_key, u.page_type
     from counted c join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
     where cast(:after as text) is null or u.url > :after
     order by u.url limit :rows
   ),
   ${describedChosen}
   order by l.url`,
);
