/** What happened to the site of a brand: its crawlers, its robots.txt, its pages. What was not measured tells nothing. */
import type { Knex } from 'knex';
import { CRAWLER_REFUSALS, CRAWLER_SILENCE, DEGRADED_PART, type MoveFacts } from '../../../contract/moves.js';
import { feedsAnswers } from '../../../logs/agents/agent.js';
import { agents, findAgent } from '../../../logs/agents/match.js';
import { refusedCount } from '../../answers/sums/crawler-weeks.js';
import { sitePageCounts } from '../../answers/sums/site-pages.js';
import { addDays, DAY_MS, everyDayOf, type Window, windowEnding } from '../../base/days.js';
import type { RobotsState } from '../../base/robots/fetch.js';
import { robotsVerdicts } from '../../base/robots/verdict.js';
import { statement } from '../../base/statement.js';
import type { FoundMove } from './found.js';

// Crawlers, by the days of their requests.

interface AgentDay {
  readonly agent: string;
  readonly day: string;
  readonly requests: number;
  readonly refused: number;
}

/** Requests by day, without those that are known to be of somebody else: a scanner that calls itself a crawler is refused. */
const agentDays = statement<AgentDay, { brandKey: number; from: Date; until: Date }>(
  'agent_days',
  `select agent, cast(time at time zone 'UTC' as date) as day, count(*) as requests, ${refusedCount} as refused
   from crawler_events
   where brand_key = :brandKey and time >= cast(:from as timestamptz) and time < cast(:until as timestamptz)
     and verified is not false
   group by 1, 2`,
);

const newestLine = statement<{ time: Date }, { brandKey: number }>(
  'newest_log_line',
  'select last_event_at as time from crawler_connections where brand_key = :brandKey',
);

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The days before some nights that tell about them. */
const LOOKED_BACK = CRAWLER_SILENCE.rhythm + CRAWLER_SILENCE.silent + 1;

export async function crawlerMoves(db: Knex, brandKey: number, nights: Window): Promise<FoundMove[]> {
  const [newest] = await newestLine(db, { brandKey });
  if (!newest) return [];
  const covered = new Date(newest.time.getTime() - DAY_MS).toISOString().slice(0, 10);
  const rows = await agentDays(db, {
    brandKey,
    from: midnight(addDays(nights.start, -LOOKED_BACK)),
    until: midnight(addDays(nights.end, 1)),
  });
  return crawlerMovesIn(rows, { start: nights.start, end: covered < nights.end ? covered : nights.end });
}

/**
 * What agents that fetch for answers did on each night of `nights`, of which the logs have every day. The log of a day
 * without any request may be missing, so that nobody is silent on it.
 */
export function crawlerMovesIn(rows: readonly AgentDay[], nights: Window): FoundMove[] {
  const known = [...new Set(rows.map(({ agent }) => agent))].sort().flatMap((key) => findAgent(key) ?? []);
  const logged = new Set(rows.map(({ day }) => day));
  if (nights.start > nights.end) return [];
  return known
    .filter(({ purpose }) => feedsAnswers(purpose))
    .flatMap(({ key, label }) => {
      const days = new Map(rows.filter(({ agent }) => agent === key).map((row) => [row.day, row]));
      return everyDayOf(nights).flatMap((night): FoundMove[] => {
        const silent = silenceOn(night, days, logged);
        const refused = refusalsOn(night, days);
        const wasRefused = refusalsOn(addDays(night, -1), days) !== null;
        const about = { subject: key, direction: null, day: night } as const;
        return [
          ...(silent
            ? [{ kind: 'crawler_silent' as const, ...about, facts: { agent: key, label, ...silent } }]
            : []),
          ...(refused && !wasRefused
            ? [{ kind: 'crawler_refused' as const, ...about, facts: { agent: key, label, ...refused } }]
            : []),
        ];
      });
    });
}

type AgentDays = ReadonlyMap<string, AgentDay>;

/** The first night of a silence after a daily rhythm; null: it is not that. */
function silenceOn(night: string, days: AgentDays, logged: ReadonlySet<string>) {
  const silent = windowEnding(night, CRAWLER_SILENCE.silent);
  const rhythm = everyDayOf(windowEnding(addDays(silent.start, -1), CRAWLER_SILENCE.rhythm));
  if (everyDayOf(silent).some((day) => days.has(day) || !logged.has(day))) return null;
  if (rhythm.some((day) => !days.has(day))) return null;
  return { requests: rhythm.reduce((sum, day) => sum + days.get(day)!.requests, 0) };
}

/** Null: the agent is let in, or too few requests tell. */
function refusalsOn(night: string, days: AgentDays) {
  const found = everyDayOf(windowEnding(night, CRAWLER_REFUSALS.days)).flatMap((day) => days.get(day) ?? []);
  const requests = found.reduce((sum, row) => sum + row.requests, 0);
  const refused = found.reduce((sum, row) => sum + row.refused, 0);
  return requests >= CRAWLER_REFUSALS.least && 2 * refused >= requests ? { requests, refused } : null;
}

// robots.txt and pages: what they were like last is stored, because nothing else has their history.

interface RobotsSeen {
  readonly domain: string;
  /** Whether each known agent that fetches for answers was kept out. */
  readonly blocked: Readonly<Record<string, boolean>>;
}

interface PagesSeen {
  /** ISO 8601. */
  readonly checkedAt: string;
  readonly pages: number;
  readonly failing: number;
}

interface SiteState {
  robots: RobotsSeen | null;
  pages: PagesSeen | null;
}

const siteState = statement<SiteState, { brandKey: number }>(
  'site_state',
  'select robots, pages from site_states where brand_key = :brandKey',
);

const setSiteState = statement<never, { brandKey: number; robots: string | null; pages: string | null }>(
  'set_site_state',
  `insert into site_states (brand_key, robots, pages) values (:brandKey, cast(:robots as jsonb), cast(:pages as jsonb))
   on conflict (brand_key) do update set robots = coalesce(excluded.robots, site_states.robots),
     pages = coalesce(excluded.pages, site_states.pages)`,
);

/** What changed since the last look at robots.txt. @param state Undefined: it was not fetched. */
export async function siteMoves(
  trx: Knex,
  brand: { readonly key: number; readonly domain: string },
  state: RobotsState | undefined,
  day: string,
): Promise<FoundMove[]> {
  const brandKey = brand.key;
  const [[last], [counts]] = [await siteState(trx, { brandKey }), await sitePageCounts(trx, { brandKey })];
  const robots = robotsSeen(brand.domain, state);
  const pages = pagesSeen(counts!);
  const found = [
    ...(robots && last?.robots ? robotsMoves(last.robots, robots, day) : []),
    ...(pages && last?.pages ? pageMoves(last.pages, pages) : []),
  ];
  const json = (seen: object | null, before: object | null | undefined) =>
    seen === null || JSON.stringify(seen) === JSON.stringify(before) ? null : JSON.stringify(seen);
  const changed = { robots: json(robots, last?.robots), pages: json(pages, last?.pages) };
  if (changed.robots !== null || changed.pages !== null) await setSiteState(trx, { brandKey, ...changed });
  return found;
}

/** Null: what robots.txt says is not known. */
function robotsSeen(domain: string, state: RobotsState | undefined): RobotsSeen | null {
  if (state === undefined || state.state === 'error') return null;
  const verdictOf = robotsVerdicts(state.state === 'ok' ? state.groups : []);
  const listed = agents.filter(({ defaultList, purpose }) => defaultList && feedsAnswers(purpose));
  return {
    domain,
    blocked: Object.fromEntries(listed.map((agent) => [agent.key, verdictOf(agent).verdict === 'blocked'])),
  };
}

/** The moves of robots.txt, of agents that were judged both times on the same site. */
function robotsMoves(last: RobotsSeen, now: RobotsSeen, day: string): FoundMove<'robots'>[] {
  if (last.domain !== now.domain) return [];
  return [true, false].flatMap((closed) => {
    const changed = Object.keys(now.blocked)
      .filter((key) => now.blocked[key] === closed && last.blocked[key] === !closed)
      .sort();
    if (changed.length === 0) return [];
    const labels = changed.map((key) => findAgent(key)?.label ?? key);
    const direction = closed ? 'down' : 'up';
    return [
      { kind: 'robots', subject: `robots ${changed.join()}`, direction, day, facts: { labels, closed } },
    ];
  });
}

type PageCounts = Awaited<ReturnType<typeof sitePageCounts>>[number];

/** Null: no page was checked. A page behind a bot wall was not: the wall is for the one who checks. */
function pagesSeen({ checkedAt, pages, errors, botWalls }: PageCounts): PagesSeen | null {
  if (checkedAt === null || pages === botWalls) return null;
  return { checkedAt: checkedAt.toISOString(), pages: pages - botWalls, failing: errors };
}

const isDegraded = ({ failing, pages }: PagesSeen): boolean => failing >= DEGRADED_PART * pages;

function pageMoves(last: PagesSeen, now: PagesSeen): FoundMove[] {
  if (now.checkedAt <= last.checkedAt || isDegraded(last) === isDegraded(now)) return [];
  const facts: MoveFacts['health_degraded'] = {
    failing: now.failing,
    pages: now.pages,
    failing_before: last.failing,
    pages_before: last.pages,
  };
  const kind = isDegraded(now) ? 'health_degraded' : 'health_recovered';
  return [{ kind, subject: 'pages', direction: null, day: now.checkedAt.slice(0, 10), facts }];
}
