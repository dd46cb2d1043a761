import { statement } from './statement.js';

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
  rows: number;
}

/** Joins the rows of `chosen` (keys, current sums, prior counts) to URLs, domains and the newest stated title. */
const described = `
  select u.url, d.domain, t.title, case when t.title_key is null then u.page_type else t.page_type end as "pageType",
    c.citations, c.prior as "priorCitations", c.answers, c.engines, c.present > 0 as "brandPresent"
  from chosen c
  join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = u.domain_key
  left join lateral (
    select title_key from day_url x
    where x.brand_key = :brandKey and x.url_key = c.url_key and x.day between :priorStart and :end
      and x.title_key is not null
    order by x.day desc limit 1
  ) newest on true
  left join page_titles t on t.brand_key = :brandKey and t.title_key = newest.title_key`;

const current = `
  select url_key, sum(citations)::bigint as citations, sum(answers)::bigint as answers, bit_or(engines) as engines,
    sum(present_runs)::bigint as present
  from day_url where brand_key = :brandKey and day between :start and :end group by url_key`;

/**
 * The most cited URLs, in two steps, because counting every URL of both windows is slow: first the current window down to
 * the citation count of the last row, ties included, then the prior counts of these rows. URLs that were cited only in
 * the prior window fill up a short list.
 */
export const topUrls = statement<CitedUrlRow, WindowsBindings>(
  'top_urls',
  `with now as materialized (${current}),
   top as materialized (
     select * from now where citations >= coalesce(
       (select citations from now order by citations desc offset :rows - 1 limit 1), 0)
   ),
   counted as (
     select top.*, coalesce((
       select sum(citations) from day_url p where p.brand_key = :brandKey and p.url_key = top.url_key
         and p.day between :priorStart and :priorEnd), 0)::bigint as prior
     from top
   ),
   past as (
     select url_key, 0::bigint as citations, 0::bigint as answers, 0 as engines, 0::bigint as present,
       sum(citations)::bigint as prior
     from day_url p
     where brand_key = :brandKey and day between :priorStart and :priorEnd
       and (select count(*) from top) < :rows
       and not exists (select 1 from now where now.url_key = p.url_key)
     group by url_key
   ),
   ranked as (select * from counted union all select * from past),
   chosen as (
     select r.* from ranked r join cited_urls u on u.brand_key = :brandKey and u.url_key = r.url_key
     order by r.citations desc, r.prior desc, u.url limit :rows
   )
   ${described}
   order by c.citations desc, c.prior desc, u.url`,
);

/** All URLs cited in either window by url, after a given one. */
export const urlsByUrl = statement<CitedUrlRow, WindowsBindings & { after: string | null }>(
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
