import { engineIds, enginesOfMask } from '../../../contract/engines.js';
import { CAPS } from '../../../contract/limits.js';
import type { citedUrl, PageType } from '../../../contract/reads/urls.js';
import type { Infer } from '../../../contract/schema.js';
import { everyDayOf } from '../../base/days.js';
import { plannedStatement } from '../../base/statement.js';
import { windowHasRuns } from '../sums/collected-days.js';
import { anyChosen } from '../sums/entity-sums.js';
import { type ChosenBindings, chosenRuns, EVERY_RUN, MENTIONS_BRAND } from '../sums/run-choice.js';
import { labelsOf } from './domain-labels.js';
import { cutPage, rowsToFetch } from './list-page.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { requireRunsSince, type Slice, type SliceParams, sliceOf } from './slice.js';
import { daysFields } from './slice-days.js';

interface CitedUrlRow {
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
const describedRows = `
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
   ${describedRows}
   order by c.citations desc, c.prior desc, u.url`,
);

/** All URLs cited in either window by url, after a given one. */
const urlsByUrl = plannedStatement<CitedUrlRow, WindowsBindings & { after: string | null }>(
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
   ${describedRows}
   order by u.url`,
);

// The same of chosen runs.

interface ListedUrls extends ChosenBindings {
  rows: number;
  /** First day of the window before; the current one follows it. */
  priorStart: string;
  /** Every engine id, in the order of the bits of a mask. */
  engineBits: readonly string[];
}

/** The runs of both windows. */
const chosen = `
  chosen as materialized (
    select day >= :start as now, collected_at, id, ${MENTIONS_BRAND} as present, c_url, c_title,
      1 << array_position(cast(:engineBits as text[]), engine) - 1 as engine_bit
    from ${chosenRuns(':priorStart')}
  )`;

const citedIn = (runs: string): string =>
  `(select unnest(c_url) as url_key from chosen where ${runs} offset 0) c`;

const citations = `
  unnest(c_url) as url_key, unnest(c_title) as title_key, generate_subscripts(c_url, 1) as place from chosen`;

/**
 * The rows of the URLs `candidates`: everything is summed for them alone. Their keys are looked up, because few of the brand's
 * URLs are listed. The title is the one that the newest chosen run states.
 * @param rank Which of them are listed, as far as their sums say it.
 * @param order Of the rows.
 */
const describedChosen = (rank: string, order: string): string => `
  sums as materialized (
    select url_key, count(*) filter (where now) as citations, count(*) filter (where not now) as prior,
      count(*) filter (where now and array_position(c_url, url_key) = place) as answers,
      coalesce(bit_or(engine_bit) filter (where now), 0) as engines,
      coalesce(bool_or(present) filter (where now), false) as present,
      max(collected_at) filter (where title_key is not null) as titled_at
    from (select now, collected_at, engine_bit, present, c_url, ${citations} offset 0) c
    where url_key in (select url_key from candidates) group by url_key
  ),
  listed as materialized (
    select l.*, u.url, u.domain_key, u.page_type
    from (select sums.*, ${rank} as rank from sums) l
    cross join lateral (
      select url, domain_key, page_type from cited_urls where brand_key = :brandKey and url_key = l.url_key offset 0
    ) u
    where l.rank <= :rows order by ${order} limit :rows
  ),
  newest as (
    select l.url_key, (array_agg(c.title_key order by c.id desc, c.place))[1] as title_key
    from listed l
    join (
      select collected_at, id, ${citations} where collected_at in (select titled_at from listed) offset 0
    ) c on c.url_key = l.url_key and c.collected_at = l.titled_at
    where c.title_key is not null group by l.url_key
  )
  select l.url, d.domain, t.title, case when t.title_key is null then l.page_type else t.page_type end as "pageType",
    l.citations, l.prior as "priorCitations", l.answers, l.engines, l.present as "brandPresent"
  from listed l
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = l.domain_key
  left join newest n on n.url_key = l.url_key
  left join page_titles t on t.brand_key = :brandKey and t.title_key = n.title_key
  order by ${order}`;

/**
 * The URLs that are cited most. Only the current window decides which, down to the last rank, ties included; URLs that were
 * cited only in the prior window fill up a short list.
 */
export const topChosenUrls = plannedStatement<CitedUrlRow, ListedUrls>(
  'top_chosen_urls',
  `with ${chosen},
   top as materialized (
     select url_key from (
       select url_key, rank() over (order by count(*) desc) as rank from ${citedIn('now')} group by url_key
     ) ranks where rank <= :rows
   ),
   past as (
     select url_key from (
       select url_key, rank() over (order by count(*) desc) as rank
       from ${citedIn('not now and (select count(*) from top) < :rows')}
       where url_key not in (select url_key from top) group by url_key
     ) ranks where rank <= :rows
   ),
   candidates as materialized (select url_key from top union all select url_key from past),
   ${describedChosen('rank() over (order by citations desc, prior desc)', 'citations desc, prior desc, url')}`,
);

/** All URLs by url, after a given one. */
export const chosenUrlsByUrl = plannedStatement<CitedUrlRow, ListedUrls & { after: string | null }>(
  'chosen_urls_by_url',
  `with ${chosen},
   candidates as materialized (
     select c.url_key
     from (select distinct url_key from ${citedIn('true')}) c
     join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
     where cast(:after as text) is null or u.url > :after
     order by u.url limit :rows
   ),
   ${describedChosen('1', 'url')}`,
);

export const reader: Reader<'urls'> = async (context, params) => {
  const { brand, page } = context;
  const slice = await sliceOf(context, params);
  const envelope = { brand: brandRefOf(brand) };
  const statements = await statementsOf(context, slice, params);
  if (!page) {
    const [rows, extent] = await Promise.all([statements.top(CAPS.urls), daysFields(context, slice)]);
    return { ...envelope, urls: await described(context, slice, rows, extent.measured !== null), ...extent };
  }
  const [found, extent] = await Promise.all([
    statements.byUrl(page.after?.[0] ?? null, rowsToFetch(page)),
    daysFields(context, slice),
  ]);
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.url]);
  return {
    ...envelope,
    urls: await described(context, slice, rows, extent.measured !== null),
    ...extent,
    next_cursor,
  };
};

/** The statements for a slice: on the roll-ups where they have it, else on the runs. */
async function statementsOf(context: ReadContext, slice: Slice, params: SliceParams) {
  const { db, brand } = context;
  const { window, prior, engines, runs } = slice;
  const windows = { brandKey: brand.key, ...window, priorStart: prior.start };
  if (slice.rolledUp) {
    const days = { priorEnd: prior.end, days: everyDayOf(window), priorDays: everyDayOf(prior) };
    return {
      top: (rows: number) => topUrls(db, { ...windows, ...days, rows }),
      byUrl: (after: string | null, rows: number) => urlsByUrl(db, { ...windows, ...days, after, rows }),
    };
  }
  await requireRunsSince(context, prior.start, params);
  const chosen = { ...windows, engines, engineBits: engineIds, ...(runs ?? EVERY_RUN) };
  return {
    top: (rows: number) => topChosenUrls(db, { ...chosen, rows }),
    byUrl: (after: string | null, rows: number) => chosenUrlsByUrl(db, { ...chosen, after, rows }),
  };
}

type CitedUrl = Infer<typeof citedUrl, null>;

/** prior_citations is null on every row while no prior window was observed: then 0 would be a claim. */
async function described(
  context: ReadContext,
  slice: Slice,
  rows: CitedUrlRow[],
  isMeasured: boolean,
): Promise<CitedUrl[]> {
  const { db, brand } = context;
  const { prior, engines, runs } = slice;
  const before = { brandKey: brand.key, engines, ...prior };
  const [label, [observed]] = await Promise.all([
    labelsOf(
      context,
      rows.map((row) => row.domain),
    ),
    runs ? anyChosen(db, { ...before, ...runs }) : windowHasRuns(db, before),
  ]);
  return rows.map((row) => ({
    url: row.url,
    domain: row.domain,
    title: row.title,
    ...label(row.domain),
    citations: isMeasured ? row.citations : null,
    prior_citations: observed!.hasRuns ? row.priorCitations : null,
    answers: isMeasured ? row.answers : null,
    engines: enginesOfMask(row.engines),
    brand_present: row.brandPresent,
    page_type: row.pageType as PageType | null,
  }));
}
