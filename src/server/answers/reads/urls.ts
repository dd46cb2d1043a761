import { engineIds, enginesOfMask } from '../../../contract/engines.js';
import { CAPS } from '../../../contract/limits.js';
import type { citedUrl, PageType } from '../../../contract/reads/urls.js';
import type { Infer } from '../../../contract/schema.js';
import { everyDayOf } from '../../base/days.js';
import { plannedStatement } from '../../base/statement.js';
import { anyChosen, windowHasRuns } from '../sums/collected-days.js';
import {
  type ChosenBindings,
  chosenRuns,
  citationsOf,
  EVERY_RUN,
  MENTIONS_BRAND,
} from '../sums/run-choice.js';
import { labelsOf } from './domain-labels.js';
import { cutPage, rowsToFetch } from './list-page.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { requireRunsSince, type Slice, sliceOf } from './slice.js';
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

interface ListBindings extends ChosenBindings {
  rows: number;
  /** First day of the window before; the current one follows it. */
  priorStart: string;
  /** The days of both windows. */
  days: readonly string[];
  priorDays: readonly string[];
  /** Every engine id, in the order of the bits of a mask. */
  engineBits: readonly string[];
}

/** Parts of a statement about the citations of both windows. */
interface Source {
  /** The table that the other parts read. */
  readonly with: string;
  /** The table `now` of the current window, `url_key` and `citations`: of the URLs that may be among the most cited, and others. */
  readonly now: string;
  /** The rows of the window before with the columns of `now`, only if a condition holds. */
  readonly past: (condition: string) => string;
  /** The URLs of both windows. */
  readonly urls: string;
  /**
   * The citations of the URLs `candidates` in both windows: `url_key`, `now`, `citations`, `answers`, `engines`, `present`,
   * `title_key`, and the `time` of the title.
   */
  readonly cited: string;
  /** Which of the rows of one time has the newest title. */
  readonly newest: string;
}

/**
 * The rows of the URLs `candidates`: everything is summed for them alone. Their keys are looked up, because few of the brand's
 * URLs are listed. The title is the newest one that is stated.
 * @param rank Which of them are listed, as far as their sums say it.
 * @param order Of the rows.
 */
const describedRows = ({ cited, newest }: Source, rank: string, order: string): string => `
  cited as materialized (${cited}),
  sums as materialized (
    select url_key, coalesce(sum(citations) filter (where now), 0)::bigint as citations,
      coalesce(sum(citations) filter (where not now), 0)::bigint as prior,
      coalesce(sum(answers) filter (where now), 0)::bigint as answers,
      coalesce(bit_or(engines) filter (where now), 0) as engines,
      coalesce(bool_or(present) filter (where now), false) as present,
      max(time) filter (where title_key is not null) as titled_at
    from cited group by url_key
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
    select l.url_key, (array_agg(c.title_key order by ${newest}))[1] as title_key
    from listed l join cited c on c.url_key = l.url_key and c.time = l.titled_at
    where c.title_key is not null group by l.url_key
  )
  select l.url, d.domain, t.title, case when t.title_key is null then l.page_type else t.page_type end as "pageType",
    l.citations, l.prior as "priorCitations", l.answers, l.engines, l.present as "brandPresent"
  from listed l
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = l.domain_key
  left join newest n on n.url_key = l.url_key
  left join page_titles t on t.brand_key = :brandKey and t.title_key = n.title_key
  order by ${order}`;

const rankedBy = (rows: string): string => `(
     select url_key from (
       select url_key, rank() over (order by citations desc) as rank from (${rows}) counted
     ) ranks where rank <= :rows
   )`;

const listsOf = (name: string, source: Source) => ({
  /**
   * The URLs that are cited most. Only the current window decides which, down to the last rank, ties included; URLs that were
   * cited only in the prior window fill up a short list.
   */
  top: plannedStatement<CitedUrlRow, ListBindings>(
    `top_urls${name}`,
    `with ${source.with} ${source.now},
   top as materialized ${rankedBy('select * from now')},
   past as ${rankedBy(
     source.past('(select count(*) from top) < :rows and url_key not in (select url_key from top)'),
   )},
   candidates as materialized (select url_key from top union all select url_key from past),
   ${describedRows(source, 'rank() over (order by citations desc, prior desc)', 'citations desc, prior desc, url')}`,
  ),
  /** All URLs by url, after a given one. */
  byUrl: plannedStatement<CitedUrlRow, ListBindings & { after: string | null }>(
    `urls${name}_by_url`,
    `with ${source.with}
   candidates as materialized (
     select c.url_key
     from (${source.urls}) c
     join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
     where cast(:after as text) is null or u.url > :after
     order by u.url limit :rows
   ),
   ${describedRows(source, '1', 'url')}`,
  ),
});

/**
 * The rows of one URL on some days: a probe of the primary key for each day. A range of days would read the rows of all
 * URLs in the range.
 */
const rowsOf = (url: string, days: string): string =>
  `day_url x where x.brand_key = :brandKey and x.url_key = ${url} and x.day = any(${days})`;

const sumOnDays = (url: string): string =>
  `select sum(x.citations)::bigint as citations from ${rowsOf(url, 'cast(:days as date[])')}`;

const IN_WINDOW = 'brand_key = :brandKey and day between :start and :end';

/** Pages whose citations are summed one by one: for more of them reading the window is cheaper. */
const FEW = 10;

/**
 * The sums of the URLs that are cited most on one day show how many citations the last listed URL has at least. So each listed
 * URL has its share of them, or more, on some day: only the URLs with such a day are summed. Where these are many, because all
 * are cited about as often, every URL is.
 */
const likelyOnDays = `
   heads as materialized (
     select url_key from day_url
     where brand_key = :brandKey and day = (
       select day from day_scope where ${IN_WINDOW} group by day order by sum(citations) desc, day desc limit 1)
     order by citations desc limit :rows
   ),
   share as materialized (
     select case when count(*) = :rows then ceil(min(sums.citations) / cardinality(cast(:days as date[]))) else 0 end as citations
     from heads cross join lateral (${sumOnDays('heads.url_key')}) sums
   ),
   likely as materialized (
     select distinct url_key from day_url
     where ${IN_WINDOW} and (select citations from share) > 1
       and citations >= (select cast(citations as integer) from share)
   ),
   choice as materialized (
     select share.citations > 1 and (select count(*) from likely) <= ${FEW} * :rows as few from share
   ),
   now as (
     select l.url_key, sums.citations from likely l cross join lateral (${sumOnDays('l.url_key')}) sums
     where (select few from choice)
     union all
     select url_key, sum(citations)::bigint from day_url
     where ${IN_WINDOW} and not (select few from choice) group by url_key
   )`;

/** All runs on the blended engines, and any runs. */
export const urlLists = {
  rollUp: listsOf('', {
    with: '',
    now: likelyOnDays,
    past: (condition) => `
      select url_key, sum(citations) as citations from day_url
      where brand_key = :brandKey and day >= :priorStart and day < :start and ${condition} group by url_key`,
    urls: 'select distinct url_key from day_url where brand_key = :brandKey and day between :priorStart and :end',
    cited: `
      select x.url_key, x.day >= :start as now, x.citations, x.answers, x.engines, x.present_runs > 0 as present,
        x.title_key, x.day as time
      from candidates p cross join lateral (
        select * from ${rowsOf('p.url_key', 'cast(:priorDays as date[]) || cast(:days as date[])')} offset 0
      ) x`,
    newest: 'c.time desc',
  }),
  runs: listsOf('_of_runs', {
    with: `
   cells as materialized (
     select day >= :start as now, collected_at, id, ${MENTIONS_BRAND} as present, c_url, c_title,
       1 << array_position(cast(:engineBits as text[]), engine) - 1 as engine_bit
     from ${chosenRuns(':priorStart')}
   ),`,
    now: `now as (
     select url_key, count(*) as citations from (${citationsOf('cells where now', 'id')}) c group by url_key
   )`,
    past: (condition) => `
      select url_key, count(*) as citations from (${citationsOf('cells where not now', 'id')}) c
      where ${condition} group by url_key`,
    urls: `select distinct url_key from (${citationsOf('cells', 'id')}) c`,
    cited: `
      select url_key, now, 1 as citations, cast(now and array_position(c_url, url_key) = place as integer) as answers,
        engine_bit as engines, present, title_key, collected_at as time, id, place
      from (${citationsOf(
        'cells',
        'now, collected_at, id, engine_bit, present, c_url, unnest(c_title) as title_key, generate_subscripts(c_url, 1) as place',
      )}) c
      where url_key in (select url_key from candidates)`,
    newest: 'c.id desc, c.place',
  }),
} as const;

export const reader: Reader<'urls'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  const { window, prior, engines, runs, rolledUp } = slice;
  if (!rolledUp) await requireRunsSince(context, prior.start, params);
  const { top, byUrl } = urlLists[rolledUp ? 'rollUp' : 'runs'];
  const bindings = {
    brandKey: brand.key,
    ...window,
    priorStart: prior.start,
    engines,
    engineBits: engineIds,
    days: everyDayOf(window),
    priorDays: everyDayOf(prior),
    ...(runs ?? EVERY_RUN),
  };
  const [found, extent] = await Promise.all([
    page
      ? byUrl(db, { ...bindings, after: page.after?.[0] ?? null, rows: rowsToFetch(page) })
      : top(db, { ...bindings, rows: CAPS.urls }),
    daysFields(context, slice),
  ]);
  const { rows, ...next } = page ? cutPage(page, found, (row) => [row.url]) : { rows: found };
  return {
    brand: brandRefOf(brand),
    urls: await described(context, slice, rows, extent.measured !== null),
    ...extent,
    ...next,
  };
};

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
