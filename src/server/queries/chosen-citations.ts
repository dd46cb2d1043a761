/** What chosen runs cite, in the form of what the roll-ups give. */
import type { CitedDomainRow } from './cited-domains.js';
import type { CitedUrlRow } from './cited-urls.js';
import { MENTIONS_BRAND } from './run-arrays.js';
import { type ChosenBindings, chosenRuns } from './run-choice.js';
import { plannedStatement } from './statement.js';

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

/** The domains that are cited most. */
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
const counted = `
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
 * The rows of `listed` with what is summed for them alone, their domains, and the title that the newest chosen run states.
 */
const described = `
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
  `with ${counted},
   top as (
     select * from (
       select counted.*, rank() over (order by citations desc, prior desc) as rank from counted
     ) ranks where rank <= :rows
   ),
   listed as materialized (
     select top.*, u.url, u.domain_key, u.page_type from top ${lookedUp('top.url_key')}
     order by citations desc, prior desc, u.url limit :rows
   ),
   ${described}
   order by l.citations desc, l.prior desc, l.url`,
);

/** All URLs by url, after a given one. */
export const chosenUrlsByUrl = plannedStatement<CitedUrlRow, ListedUrls & { after: string | null }>(
  'chosen_urls_by_url',
  `with ${counted},
   listed as materialized (
     select c.*, u.url, u.domain_key, u.page_type
     from counted c join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
     where cast(:after as text) is null or u.url > :after
     order by u.url limit :rows
   ),
   ${described}
   order by l.url`,
);
