import { statement } from './statement.js';

export interface ThreadRow {
  urlKey: number;
  url: string;
  domain: string;
  citations: number;
  answers: number;
  engines: number;
  /** Whether it has a record. */
  recorded: boolean;
  kind: string | null;
  title: string | null;
  brandInThread: boolean | null;
  checkedAt: Date | null;
}

interface WindowBindings extends Record<string, unknown> {
  brandKey: number;
  start: string;
  end: string;
}

/**
 * Cited pages of a window that may be threads: those with a record, those with the address of a forum, and those of a
 * video site. The caller decides by address which of the pages without a record are threads.
 */
export const citedThreadCandidates = statement<ThreadRow, WindowBindings & { videoDomain: string }>(
  'cited_thread_candidates',
  `with cited as (
     select url_key, sum(citations)::bigint as citations, sum(answers)::bigint as answers,
       bit_or(engines) as engines
     from day_url where brand_key = :brandKey and day between :start and :end group by url_key
   )
   select c.url_key as "urlKey", u.url, d.domain, c.citations, c.answers, c.engines,
     t.url_key is not null as recorded, t.kind, t.title, t.brand_in_thread as "brandInThread",
     t.checked_at as "checkedAt"
   from cited c
   join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
   join cited_domains d on d.brand_key = :brandKey and d.domain_key = u.domain_key
   left join community_threads t on t.brand_key = :brandKey and t.url_key = c.url_key
   where t.url_key is not null or u.page_type = 'forum' or d.domain = :videoDomain
   order by c.citations desc, u.url`,
);

/** The newest title that an engine stated in the window, for some URLs. */
export const newestTitles = statement<
  { urlKey: number; title: string },
  WindowBindings & { urlKeys: readonly number[] }
>(
  'newest_titles',
  `select distinct on (x.url_key) x.url_key as "urlKey", t.title
   from day_url x
   join page_titles t on t.brand_key = :brandKey and t.title_key = x.title_key
   where x.brand_key = :brandKey and x.url_key = any(:urlKeys) and x.day between :start and :end
   order by x.url_key, x.day desc`,
);
