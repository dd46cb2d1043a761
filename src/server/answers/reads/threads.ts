import { blendedEngineIds, enginesOfMask } from '../../../contract/engines.js';
import { TOOL_CAPS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import type { CommunityThread } from '../../../contract/reads/threads.js';
import { type BrandWindow, statement } from '../../base/statement.js';
import { threadKind, VIDEO_DOMAIN } from '../citations/canonical-url.js';
import { citedSums, urlsOfDomain } from '../sums/cited-pages.js';
import { type LastDays, ofLastDays } from './reader.js';
import { noRunsNote } from './slice-days.js';

interface ThreadRow {
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

/**
 * Cited pages of a window that may be threads: those with a record, those with the address of a forum, and those of a
 * video site. The caller decides by address which of the pages without a record are threads. The pages are found first,
 * so that the cost does not depend on how many others are cited.
 */
export const citedThreadCandidates = statement<ThreadRow, LastDays & { videoDomain: string }>(
  'cited_thread_candidates',
  `with candidates as (
     select url_key from cited_urls where brand_key = :brandKey and page_type = 'forum'
     union
     ${urlsOfDomain(':videoDomain')}
     union
     select url_key from community_threads where brand_key = :brandKey
   ),
   cited as (
     ${citedSums('candidates')}
   )
   select c.url_key as "urlKey", u.url, d.domain, c.citations, c.answers, c.engines,
     t.url_key is not null as recorded, t.kind, t.title, t.brand_in_thread as "brandInThread",
     t.checked_at as "checkedAt"
   from cited c
   join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
   join cited_domains d on d.brand_key = :brandKey and d.domain_key = u.domain_key
   left join community_threads t on t.brand_key = :brandKey and t.url_key = c.url_key
   order by c.citations desc, u.url`,
);

/** The newest title that an engine stated in the window, for some URLs. */
const newestTitles = statement<
  { urlKey: number; title: string },
  BrandWindow & { urlKeys: readonly number[] }
>(
  'newest_titles',
  `select distinct on (x.url_key) x.url_key as "urlKey", t.title
   from day_url x
   join page_titles t on t.brand_key = :brandKey and t.title_key = x.title_key
   where x.brand_key = :brandKey and x.url_key = any(:urlKeys) and x.day between :start and :end
   order by x.url_key, x.day desc`,
);

export const reader = ofLastDays<'community-threads'>(async (context, window) => {
  const { db } = context;
  const [candidates, noRuns] = await Promise.all([
    citedThreadCandidates(db, { ...window, videoDomain: VIDEO_DOMAIN }),
    noRunsNote(context, blendedEngineIds, window),
  ]);
  const cited = candidates.filter((row) => row.recorded || threadKind(row.url) !== null);
  const listed = cited.slice(0, TOOL_CAPS.threads);
  const untitled = listed.filter((row) => row.title === null).map((row) => row.urlKey);
  const titles = await newestTitles(db, { ...window, urlKeys: untitled });
  const titleOf = new Map(titles.map((row) => [row.urlKey, row.title]));
  return {
    total: cited.length,
    threads: listed.map((row) => threadOf(row, titleOf.get(row.urlKey) ?? null)),
    ...noted([
      noRuns,
      cited.length > listed.length &&
        fact('most_cited_threads', { shown: listed.length, total: cited.length }),
    ]),
  };
});

const threadOf = (row: ThreadRow, statedTitle: string | null): CommunityThread => ({
  url: row.url,
  domain: row.domain,
  kind: (row.kind as CommunityThread['kind']) ?? threadKind(row.url),
  title: row.title ?? statedTitle,
  citations: row.citations,
  answers: row.answers,
  engines: enginesOfMask(row.engines),
  brand_in_thread: row.brandInThread,
  checked_at: row.checkedAt?.toISOString() ?? null,
});
