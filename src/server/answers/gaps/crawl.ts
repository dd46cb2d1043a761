/** From crawl to citation: pages of the brand’s domain that agents cannot fetch or do not, and pages that no answer cites. */
import { engines, enginesOfMask } from '../../../contract/engines.js';
import { compareText } from '../../../contract/order.js';
import {
  type CrawlFault,
  type CrawlGap,
  crawlFaults,
  LEAST_DAYS,
  REFUSALS,
} from '../../../contract/reads/gaps.js';
import { canonicalPath, findAgent } from '../../../logs/index.js';
import { addDays, type Window } from '../../base/days.js';
import type { RobotsState } from '../../base/robots/fetch.js';
import { type PageVerdicts, pageVerdicts } from '../../base/robots/verdict.js';
import { type Db, plannedStatement } from '../../base/statement.js';
import { normaliseDomain } from '../citations/domain.js';
import { citedOnDays, urlsOfDomain } from '../sums/cited-pages.js';
import { chosenRuns, citationsOf } from '../sums/run-choice.js';
import { ENGINE_BIT, type GapRequest, overSources } from './request.js';

// The cited pages of the domain. A log has no host, so that the host of a page has to be the brand's own.

interface CitedPage {
  readonly url: string;
  readonly citations: number;
  readonly engines: number;
}

const ownUrls = urlsOfDomain(':domain');

const citedPages = overSources<CitedPage, string>(
  'cited_own_pages',
  {
    rollUp: citedOnDays(`(${ownUrls})`),
    runs: `(
      select url_key, engines, 1 as citations
      from (${citationsOf(chosenRuns(), `${ENGINE_BIT} as engines`)}) c where url_key in (${ownUrls})
    ) x`,
  },
  (cited) => `
   select u.url, c.citations, c.engines
   from (
     select x.url_key, sum(x.citations)::bigint as citations, bit_or(x.engines) as engines from ${cited} group by x.url_key
   ) c
   join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key`,
);

// What the logs of the site have. Times are days of UTC.

interface PathRequests {
  readonly path: string;
  readonly agent: string;
  readonly requests: number;
  readonly refused: number;
}

interface LogBindings extends Record<string, unknown> {
  brandKey: number;
  from: Date;
  until: Date;
  /** Paths of cited pages. */
  paths: readonly string[];
}

const inWindow = `crawler_events
  where brand_key = :brandKey and time >= cast(:from as timestamptz) and time < cast(:until as timestamptz)`;
/** The refused ones of some requests. */
export const refusedCount = `count(*) filter (where status in (${REFUSALS.join(', ')}) or status between 500 and 599)`;
const ofPaths = '(select unnest(cast(:paths as text[])))';

/** The requests of every agent for cited pages. */
const requestsFor = plannedStatement<PathRequests, LogBindings>(
  'requests_for_pages',
  `select path, agent, count(*) as requests, ${refusedCount} as refused
   from ${inWindow} and path in ${ofPaths} group by path, agent`,
);

/** Paths of files that are no pages. */
const NO_PAGE =
  '\\.(?:css|js|mjs|map|json|xml|rss|atom|txt|png|jpe?g|gif|webp|avif|svg|ico|bmp|woff2?|ttf|otf|eot|mp4|webm|mp3|wasm|gz|zip)$|^/robots\\.txt|sitemap';

/**
 * The paths that agents fetched on several days and that are of no cited page, each with the agent that was refused most,
 * else came most. Those with the most requests.
 */
const neverCited = plannedStatement<
  PathRequests,
  LogBindings & { agents: readonly string[]; noPage: string; rows: number }
>(
  'never_cited_paths',
  `with visits as materialized (
     select path, agent, cast(time at time zone 'UTC' as date) as day, count(*) as requests, ${refusedCount} as refused,
       count(*) filter (where status is null or status < 400) as fetched
     from ${inWindow} and agent = any(cast(:agents as text[])) group by 1, 2, 3
   ),
   fetched as (select distinct path, day from visits where fetched > 0),
   pages as materialized (
     select path from fetched where path not in ${ofPaths} group by path
     having count(*) >= ${LEAST_DAYS} and path !~* cast(:noPage as text)
   ),
   agents as (
     select path, agent, sum(requests)::bigint as requests, sum(refused)::bigint as refused
     from visits join pages using (path) group by path, agent
   )
   select * from (
     select distinct on (path) path, agent, requests, refused from agents
     order by path, refused desc, requests desc, array_position(cast(:agents as text[]), agent)
   ) most
   order by requests desc, path limit :rows`,
);

interface LogExtent {
  /** The oldest stored request of an agent; null: none is stored. */
  readonly first: Date | null;
  /** The newest request of anybody. */
  readonly last: Date;
}

/** No row: logs were never received. */
const logExtent = plannedStatement<LogExtent, { brandKey: number }>(
  'log_extent',
  `select (select min(time) from crawler_events e where e.brand_key = :brandKey) as first, c.last_event_at as last
   from crawler_connections c where c.brand_key = :brandKey`,
);

interface PageRequests {
  readonly requests: number;
  readonly last: Date | null;
}

/** The requests of every agent for a path. Always one row. */
const requestsForPath = plannedStatement<PageRequests, Omit<LogBindings, 'paths'> & { path: string }>(
  'requests_for_path',
  `select count(*) as requests, max(time) as last from ${inWindow} and path = cast(:path as text)`,
);

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** Whether logs begin with the first day of the window, or before, and reach its last day or the day before. */
const covers = ({ first, last }: LogExtent, { start, end }: GapRequest['window']): boolean =>
  first !== null && first < midnight(addDays(start, 1)) && last >= midnight(addDays(end, -1));

/** The requests for a path; null: none are known, and logs do not cover the window. */
export async function pageRequestsOf(
  db: Db,
  brandKey: number,
  window: Window,
  path: string,
): Promise<PageRequests | null> {
  const from = midnight(window.start);
  const until = midnight(addDays(window.end, 1));
  const [[extent], [found]] = await Promise.all([
    logExtent(db, { brandKey }),
    requestsForPath(db, { brandKey, from, until, path }),
  ]);
  return found!.requests > 0 || (extent !== undefined && covers(extent, window)) ? found! : null;
}

// The faults of each page.

export interface CrawlGaps {
  readonly rows: readonly CrawlGap[];
  readonly connected: boolean;
  /** Whether logs cover the window. */
  readonly covered: boolean;
}

/** The agents of engines in contract order, each once. */
const agentsOf = (ids: readonly string[]): string[] => [
  ...new Set(engines.filter(({ id }) => ids.includes(id)).flatMap(({ agents }) => agents)),
];

type Requests = ReadonlyMap<string, readonly PathRequests[]>;

export async function crawlGapsOf(
  request: GapRequest,
  domain: string,
  robots: RobotsState,
): Promise<CrawlGaps> {
  const { db, brandKey, window, rows } = request;
  const host = normaliseDomain(domain);
  const [[extent], cited] = await Promise.all([
    logExtent(db, { brandKey }),
    // The empty domain is that of citations without a host.
    host === '' ? [] : citedPages(request, { domain: host }),
  ]);
  const pages = cited.map((page) => ({ ...page, path: canonicalPath(page.url) ?? '/' }));
  const covered = extent !== undefined && covers(extent, window);
  const logs = {
    brandKey,
    from: midnight(window.start),
    until: midnight(addDays(window.end, 1)),
    paths: [...new Set(pages.map(({ path }) => path))],
  };
  const agents = agentsOf(request.engines);
  const [found, uncited] = await Promise.all([
    extent && pages.length > 0 ? requestsFor(db, logs) : [],
    covered && host !== '' ? neverCited(db, { ...logs, agents, noPage: NO_PAGE, rows }) : [],
  ]);
  const requests = byPath(found);
  const verdicts = robots.state === 'error' ? null : pageVerdicts(robots.state === 'ok' ? robots.groups : []);
  const context = { requests, verdicts, connected: extent !== undefined, covered };
  const gaps = [
    ...pages.flatMap((page) => faultsOf(page, context)),
    ...uncited.map((row) => neverCitedGap(row, domain, verdicts)),
  ];
  return { rows: gaps.sort(byValue).slice(0, rows), connected: extent !== undefined, covered };
}

function byPath(rows: readonly PathRequests[]): Requests {
  const found = new Map<string, PathRequests[]>();
  for (const row of rows) {
    const known = found.get(row.path);
    if (known) known.push(row);
    else found.set(row.path, [row]);
  }
  return found;
}

interface Context {
  readonly requests: Requests;
  /** Null: robots.txt could not be fetched. */
  readonly verdicts: PageVerdicts | null;
  readonly connected: boolean;
  readonly covered: boolean;
}

/** The rows of a cited page. */
function faultsOf(page: CitedPage & { readonly path: string }, context: Context): CrawlGap[] {
  const { requests, verdicts, connected, covered } = context;
  const cited = enginesOfMask(page.engines);
  const all = requests.get(page.path) ?? [];
  const agents = agentsOf(cited).map((agent) => ({
    ...(all.find((each) => each.agent === agent) ?? { agent, requests: 0, refused: 0 }),
    robots: verdictOf(verdicts, agent, page.url),
  }));
  type Visits = (typeof agents)[number];
  const row = (fault: CrawlFault, agent: Visits | undefined): CrawlGap => ({
    ...{ url: page.url, fault, citations: page.citations, engines: cited, agent: agent?.agent ?? null },
    requests: connected ? (agent?.requests ?? 0) : null,
    refused: connected ? (agent?.refused ?? 0) : null,
    robots: agent?.robots ?? null,
  });
  // The first of those that are level is the first of its engine.
  const most = (among: readonly Visits[]): Visits | undefined =>
    [...among].sort((a, b) => b.refused - a.refused || b.requests - a.requests)[0];
  const refused = most(agents.filter((each) => each.refused > 0 && 2 * each.refused >= each.requests));
  const closed = most(agents.filter((each) => each.robots?.verdict === 'blocked'));
  return [
    ...(refused ? [row('refused', refused)] : []),
    ...(closed ? [row('closed', closed)] : []),
    ...(covered && all.length === 0 ? [row('never_fetched', undefined)] : []),
  ];
}

function neverCitedGap(
  { path, agent, requests, refused }: PathRequests,
  domain: string,
  verdicts: PageVerdicts | null,
): CrawlGap {
  const url = `https://${domain}${path}`;
  const robots = verdictOf(verdicts, agent, url);
  return { url, fault: 'never_cited', citations: 0, engines: [], agent, requests, refused, robots };
}

function verdictOf(verdicts: PageVerdicts | null, agent: string, url: string): CrawlGap['robots'] {
  const names = findAgent(agent);
  return verdicts === null || names === undefined ? null : verdicts(names, targetOf(url));
}

/** The path with its query, which rules may name. */
const targetOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/';

const byValue = (a: CrawlGap, b: CrawlGap): number =>
  b.citations - a.citations ||
  (b.requests ?? 0) - (a.requests ?? 0) ||
  compareText(a.url, b.url) ||
  crawlFaults.indexOf(a.fault) - crawlFaults.indexOf(b.fault);
