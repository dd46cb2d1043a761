import { plannedStatement } from './statement.js';

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
  /** The days of the prior window. */
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
