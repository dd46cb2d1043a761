/** Pages of the brand that answers cited before the window and do not cite in it. */
import { LEAST_DAYS } from '../../../contract/reads/gaps.js';
import { everyDayOf } from '../../base/days.js';
import { plannedStatement, type WindowBindings } from '../../base/statement.js';
import { type ChosenBindings, chosenRuns } from '../sums/run-choice.js';
import { chosenIn, type GapRequest } from './request.js';

interface LostSums {
  readonly url: string;
  readonly title: string | null;
  readonly citations: number;
  readonly days: number;
}

interface LostBindings extends WindowBindings {
  priorStart: string;
  /** The days of both windows. */
  days: readonly string[];
  rows: number;
}

const OWN_URLS = `
  select u.url_key, u.url from domain_entities e
  join cited_urls u on u.brand_key = :brandKey and u.domain_key = e.domain_key
  where e.brand_key = :brandKey and e.entity = 0`;

const lostUrls = plannedStatement<LostSums, LostBindings>(
  'lost_urls',
  `with own as materialized (${OWN_URLS}),
   lost as materialized (
     select o.url_key, o.url, s.citations, s.days
     from (
       select x.url_key, sum(x.citations) filter (where x.day < :start)::bigint as citations,
         count(*) filter (where x.day < :start) as days
       from own cross join unnest(cast(:days as date[])) as w(day)
       join day_url x on x.brand_key = :brandKey and x.day = w.day and x.url_key = own.url_key
         and x.day between :priorStart and :end
       group by x.url_key
       having count(*) filter (where x.day < :start) >= ${LEAST_DAYS} and not bool_or(x.day >= :start)
     ) s
     join own o using (url_key)
     order by s.citations desc, o.url limit :rows
   )
   select l.url, t.title, l.citations, l.days
   from lost l
   left join lateral (
     select x.title_key from day_url x
     where x.brand_key = :brandKey and x.url_key = l.url_key and x.day = any(cast(:days as date[]))
       and x.title_key is not null
     order by x.day desc limit 1
   ) newest on true
   left join page_titles t on t.brand_key = :brandKey and t.title_key = newest.title_key
   order by l.citations desc, l.url`,
);

type ChosenLost = ChosenBindings & { priorStart: string; rows: number };

export const chosenLostUrls = plannedStatement<LostSums, ChosenLost>(
  'chosen_lost_urls',
  `with own as materialized (${OWN_URLS}),
   cited as materialized (
     select day, collected_at, id, place, url_key, title_key
     from (
       select day, collected_at, id, unnest(c_url) as url_key, unnest(c_title) as title_key,
         generate_subscripts(c_url, 1) as place
       from ${chosenRuns(':priorStart')} offset 0
     ) c
     where url_key in (select url_key from own)
   ),
   lost as materialized (
     select o.url_key, o.url, s.citations, s.days
     from (
       select url_key, count(*) as citations, count(distinct day) as days from cited
       group by url_key having count(distinct day) >= ${LEAST_DAYS} and not bool_or(day >= :start)
     ) s
     join own o using (url_key)
     order by s.citations desc, o.url limit :rows
   )
   select l.url, t.title, l.citations, l.days
   from lost l
   left join (
     select url_key, (array_agg(title_key order by collected_at desc, id desc, place))[1] as title_key
     from cited where title_key is not null group by url_key
   ) newest on newest.url_key = l.url_key
   left join page_titles t on t.brand_key = :brandKey and t.title_key = newest.title_key
   order by l.citations desc, l.url`,
);

interface CitationCounts {
  /** Runs of the window before. */
  readonly runsBefore: number;
  readonly before: number;
  readonly now: number;
}

/** Always one row. */
const citationCounts = plannedStatement<CitationCounts, WindowBindings & { priorStart: string }>(
  'citation_counts',
  `select coalesce(sum(run_count) filter (where day < :start), 0)::bigint as "runsBefore",
     coalesce(sum(citations) filter (where day < :start), 0)::bigint as before,
     coalesce(sum(citations) filter (where day >= :start), 0)::bigint as now
   from day_scope where brand_key = :brandKey and day between :priorStart and :end and engine = any(:engines)`,
);

/** Always one row. */
export const chosenCitationCounts = plannedStatement<CitationCounts, ChosenBindings & { priorStart: string }>(
  'chosen_citation_counts',
  `select count(*) filter (where day < :start) as "runsBefore",
     coalesce(sum(cardinality(c_url)) filter (where day < :start), 0)::bigint as before,
     coalesce(sum(cardinality(c_url)) filter (where day >= :start), 0)::bigint as now
   from ${chosenRuns(':priorStart')}`,
);

export interface LostPages extends CitationCounts {
  readonly pages: readonly LostSums[];
}

export async function lostPagesOf(request: GapRequest): Promise<LostPages> {
  const { db, prior, window, rolledUp } = request;
  const bindings = { ...chosenIn(request), priorStart: prior.start };
  const [pages, [counts]] = await Promise.all(
    rolledUp
      ? [
          lostUrls(db, { ...bindings, days: everyDayOf({ start: prior.start, end: window.end }) }),
          citationCounts(db, bindings),
        ]
      : [chosenLostUrls(db, bindings), chosenCitationCounts(db, bindings)],
  );
  return { pages, ...counts! };
}
