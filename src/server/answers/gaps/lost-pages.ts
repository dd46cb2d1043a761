/** Pages of the brand that answers cited before the window and do not cite in it. */
import { LEAST_DAYS } from '../../../contract/reads/gaps.js';
import { runSumsByDay, windowSumsByDay } from '../sums/entity-sums.js';
import { chosenRuns, citationsOf } from '../sums/run-choice.js';
import { bindingsOf, type GapRequest, overSources } from './request.js';

interface LostSums {
  readonly url: string;
  readonly title: string | null;
  readonly citations: number;
  readonly days: number;
}

/** `cited` are the citations of the pages `own` in both windows; the title is the one of the `newest` of its rows. */
const lostUrls = overSources<LostSums, Record<'cited' | 'newest', string>>(
  'lost_urls',
  {
    rollUp: {
      cited: `
        select x.day, x.url_key, x.citations, x.title_key
        from own cross join unnest(cast(:priorDays as date[]) || cast(:days as date[])) as w(day)
        join day_url x on x.brand_key = :brandKey and x.day = w.day and x.url_key = own.url_key
          and x.day between :priorStart and :end`,
      newest: 'day desc',
    },
    runs: {
      cited: `
        select *, 1 as citations
        from (${citationsOf(
          chosenRuns(':priorStart'),
          'day, collected_at, id, unnest(c_title) as title_key, generate_subscripts(c_url, 1) as place',
        )}) c
        where url_key in (select url_key from own)`,
      newest: 'collected_at desc, id desc, place',
    },
  },
  ({ cited, newest }) => `
   with own as materialized (
     select u.url_key, u.url from domain_entities e
     join cited_urls u on u.brand_key = :brandKey and u.domain_key = e.domain_key
     where e.brand_key = :brandKey and e.entity = 0
   ),
   cited as materialized (${cited}),
   lost as materialized (
     select o.url_key, o.url, s.citations, s.days
     from (
       select url_key, sum(citations)::bigint as citations, count(distinct day) as days from cited
       group by url_key having count(distinct day) >= ${LEAST_DAYS} and not bool_or(day >= :start)
     ) s
     join own o using (url_key)
     order by s.citations desc, o.url limit :rows
   )
   select l.url, t.title, l.citations, l.days
   from lost l
   left join (
     select url_key, (array_agg(title_key order by ${newest}))[1] as title_key
     from cited where title_key is not null and url_key in (select url_key from lost) group by url_key
   ) titled on titled.url_key = l.url_key
   left join page_titles t on t.brand_key = :brandKey and t.title_key = titled.title_key
   order by l.citations desc, l.url`,
);

export interface LostPages {
  readonly pages: readonly LostSums[];
  /** Runs of the window before. */
  readonly runsBefore: number;
  /** Citations of any page in the window before, and in this one. */
  readonly before: number;
  readonly now: number;
}

export async function lostPagesOf(request: GapRequest): Promise<LostPages> {
  const { db, prior, window, rolledUp } = request;
  const bindings = { ...bindingsOf(request), start: prior.start };
  const [pages, days] = await Promise.all([
    lostUrls(request),
    (rolledUp ? windowSumsByDay : runSumsByDay)(db, bindings),
  ]);
  const sums = { runsBefore: 0, before: 0, now: 0 };
  for (const { day, runs, citations } of days) {
    if (day >= window.start) sums.now += citations;
    else {
      sums.before += citations;
      sums.runsBefore += runs;
    }
  }
  return { pages, ...sums };
}
