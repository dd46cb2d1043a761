/** From crawl to citation: pages of the brand’s domain that agents cannot fetch or do not, and pages that no answer cites. */
import { agentsOf, blendedEngineIds, enginesOfMask } from '../../../contract/engines.js';
import { compareText } from '../../../contract/order.js';
import { type CrawlFault, type CrawlGap, crawlFaults } from '../../../contract/reads/gaps.js';
import { findAgent } from '../../../logs/agents/match.js';
import { canonicalPath } from '../../../logs/hit.js';
import { addDays, type Window, windowBefore } from '../../base/days.js';
import type { RobotsState } from '../../base/robots/fetch.js';
import { type PageVerdicts, pageVerdicts } from '../../base/robots/verdict.js';
import { type Db, plannedStatement } from '../../base/statement.js';
import { normaliseDomain } from '../citations/domain.js';
import { citedOnDays, urlsOfDomain } from '../sums/cited-pages.js';
import { lastDayFor, type PathRequests, requestsFor, uncitedPaths } from '../sums/crawler-weeks.js';
import { visitsOf } from '../sums/referrals.js';
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

/** The citations of the pages of a brand by every engine with web search. */
export const ownCitations = (
  db: Db,
  brand: { readonly key: number; readonly domain: string },
  window: Window,
): Promise<readonly CitedPage[]> => {
  const host = normaliseDomain(brand.domain);
  const all = { engines: blendedEngineIds, runs: null, rolledUp: true, rows: 0 };
  const request = { db, brandKey: brand.key, window, prior: windowBefore(window), ...all };
  // The empty domain is that of citations without a host.
  return host === '' ? Promise.resolve([]) : citedPages(request, { domain: host });
};

// What happened to a page. Times are days of UTC.

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

/** The newest request for a path on a day, which has one. */
const lastRequestFor = plannedStatement<
  { last: Date | null },
  { brandKey: number; path: string; from: Date; until: Date }
>(
  'last_request_for_path',
  `select max(time) as last from crawler_events
   where brand_key = :brandKey and time >= cast(:from as timestamptz) and time < cast(:until as timestamptz)
     and path = cast(:path as text)`,
);

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** Whether logs begin with the first day of the window, or before, and reach its last day or the day before. */
const covers = ({ first, last }: LogExtent, { start, end }: GapRequest['window']): boolean =>
  first !== null && first < midnight(addDays(start, 1)) && last >= midnight(addDays(end, -1));

/** What happened to a page from the crawl on; fields that were not measured are null. */
export type Funnel = CrawlGap['funnel'];

/**
 * The requests for a path and what came of them. Its `requests` are of every agent; null: none are known, and logs do not cover
 * the window.
 */
export async function pageRequestsOf(
  { db, brandKey, window, engines }: Pick<GapRequest, 'db' | 'brandKey' | 'window' | 'engines'>,
  page: { readonly url: string; readonly path: string },
  robots: RobotsState,
): Promise<{ readonly fetches: PageRequests | null; readonly funnel: Omit<Funnel, 'cited'> }> {
  const [[extent], found, day, visits] = await Promise.all([
    logExtent(db, { brandKey }),
    requestsFor(db, { brandKey, window }, [page.path], null),
    lastDayFor(db, brandKey, window, page.path),
    visitsOf(db, { brandKey, ...window }, [page.path]),
  ]);
  const covered = extent !== undefined && covers(extent, window);
  const [row] =
    day === null
      ? [{ last: null }]
      : await lastRequestFor(db, {
          brandKey,
          path: page.path,
          from: midnight(day),
          until: midnight(addDays(day, 1)),
        });
  const requests = found.reduce((sum, each) => sum + each.requests, 0);
  return {
    fetches: requests > 0 || covered ? { requests, last: row!.last } : null,
    funnel: {
      ...crawlOf(found, agentsOf(engines), covered, verdictsOf(robots), page.url),
      visited: visits === null ? null : visits(page.path),
    },
  };
}

const verdictsOf = (robots: RobotsState): PageVerdicts | null =>
  robots.state === 'error' ? null : pageVerdicts(robots.state === 'ok' ? robots.groups : []);

/** The requests of agents that answers depend on. Null: not known, because logs do not cover the window or state no status. */
function crawlOf(
  all: readonly PathRequests[],
  agents: readonly string[],
  covered: boolean,
  verdicts: PageVerdicts | null,
  url: string,
): Pick<Funnel, 'crawled' | 'allowed' | 'served'> {
  const own = all.filter(({ agent }) => agents.includes(agent));
  const sum = (rows: readonly PathRequests[], count: 'requests' | 'served' | 'unstated') =>
    rows.reduce((total, row) => total + row[count], 0);
  const crawled = sum(own, 'requests');
  if (crawled === 0 && !covered) return { crawled: null, allowed: null, served: null };
  const allowed = own.filter(({ agent }) => verdictOf(verdicts, agent, url)?.verdict !== 'blocked');
  return {
    crawled,
    allowed: verdicts === null ? null : sum(allowed, 'requests'),
    served: crawled > 0 && sum(own, 'unstated') === crawled ? null : sum(own, 'served'),
  };
}

// The faults of each page.

export interface CrawlGaps {
  readonly rows: readonly CrawlGap[];
  readonly connected: boolean;
  /** Whether logs cover the window. */
  readonly covered: boolean;
}

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
  const paths = [...new Set(pages.map(({ path }) => path))];
  const logs = { brandKey, window };
  const agents = agentsOf(request.engines);
  const [own, uncited] = await Promise.all([
    extent ? requestsFor(db, logs, paths, agents) : [],
    covered && host !== '' ? uncitedPaths(db, logs, { cited: paths, agents, rows }) : [],
  ]);
  const reached = new Set(own.map(({ path }) => path));
  const [others, ofUncited] = await Promise.all([
    // Whether anybody came for the pages that these agents did not fetch.
    covered
      ? requestsFor(
          db,
          logs,
          paths.filter((path) => !reached.has(path)),
          null,
        )
      : [],
    requestsFor(db, logs, uncited, agents),
  ]);
  const requests = byPath([...own, ...others, ...ofUncited]);
  const verdicts = verdictsOf(robots);
  const context = { requests, verdicts, connected: extent !== undefined, covered };
  const gaps = [
    ...pages.flatMap((page) => faultsOf(page, context)),
    ...uncited.map((path) => neverCitedGap(mostOf(inOrder(requests.get(path)!, agents))!, domain, verdicts)),
  ];
  const listed = gaps.sort(byValue).slice(0, rows);
  const listedPaths = listed.map(({ url }) => canonicalPath(url) ?? '/');
  const visits = await visitsOf(db, { brandKey, ...window }, listedPaths);
  return {
    rows: listed.map((gap, at): CrawlGap => {
      const path = listedPaths[at]!;
      return {
        ...gap,
        funnel: {
          ...crawlOf(requests.get(path) ?? [], agents, covered, verdicts, gap.url),
          cited: gap.citations,
          visited: visits === null ? null : visits(path),
        },
      };
    }),
    connected: extent !== undefined,
    covered,
  };
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

/** A row without what is looked up for the listed ones. */
type Fault = Omit<CrawlGap, 'funnel'>;

/** The rows of a cited page. */
function faultsOf(page: CitedPage & { readonly path: string }, context: Context): Fault[] {
  const { requests, verdicts, connected, covered } = context;
  const cited = enginesOfMask(page.engines);
  const all = requests.get(page.path) ?? [];
  const agents = agentsOf(cited).map((agent) => ({
    ...(all.find((each) => each.agent === agent) ?? { agent, requests: 0, refused: 0 }),
    robots: verdictOf(verdicts, agent, page.url),
  }));
  type Visits = (typeof agents)[number];
  const row = (fault: CrawlFault, agent: Visits | undefined): Fault => ({
    url: page.url,
    fault,
    citations: page.citations,
    engines: cited,
    agent: agent?.agent ?? null,
    requests: connected ? (agent?.requests ?? 0) : null,
    refused: connected ? (agent?.refused ?? 0) : null,
    robots: agent?.robots ?? null,
  });
  const refused = mostOf(agents.filter((each) => each.refused > 0 && 2 * each.refused >= each.requests));
  const closed = mostOf(agents.filter((each) => each.robots?.verdict === 'blocked'));
  return [
    ...(refused ? [row('refused', refused)] : []),
    ...(closed ? [row('closed', closed)] : []),
    ...(covered && all.length === 0 ? [row('never_fetched', undefined)] : []),
  ];
}

/** The rows of some agents in the order of these. */
const inOrder = (rows: readonly PathRequests[], agents: readonly string[]): PathRequests[] =>
  agents.flatMap((agent) => rows.find((row) => row.agent === agent) ?? []);

/** The agent that was refused most, else came most. The first of those that are level is the first of its engine. */
const mostOf = <R extends Pick<PathRequests, 'requests' | 'refused'>>(among: readonly R[]): R | undefined =>
  [...among].sort((a, b) => b.refused - a.refused || b.requests - a.requests)[0];

function neverCitedGap(
  { path, agent, requests, refused }: Pick<PathRequests, 'path' | 'agent' | 'requests' | 'refused'>,
  domain: string,
  verdicts: PageVerdicts | null,
): Fault {
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

const byValue = (a: Fault, b: Fault): number =>
  b.citations - a.citations ||
  (b.requests ?? 0) - (a.requests ?? 0) ||
  compareText(a.url, b.url) ||
  crawlFaults.indexOf(a.fault) - crawlFaults.indexOf(b.fault);
