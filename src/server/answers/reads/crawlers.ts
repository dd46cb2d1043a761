import { WINDOW_DAYS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import { compareText } from '../../../contract/order.js';
import {
  type CrawlerAgent,
  type OutcomeName,
  outcomeNames,
  outcomes,
} from '../../../contract/reads/crawlers.js';
import type { Agent } from '../../../logs/agents/agent.js';
import { agents, findAgent } from '../../../logs/agents/match.js';
import { type AddressList, listEnd } from '../../../logs/clients/lists.js';
import { brandState, dataVersion, hasDataVersion } from '../../accounts/brands.js';
import { addressLists } from '../../base/address-lists.js';
import { addDays, daysIn, windowEnding } from '../../base/days.js';
import type { RobotsState } from '../../base/robots/fetch.js';
import { robotsSignals, robotsVerdicts } from '../../base/robots/verdict.js';
import { statement } from '../../base/statement.js';
import { brandRefOf, type Reader, withCaching } from './reader.js';

type Outcomes = { readonly [name in OutcomeName]: number };

interface AgentActivity extends Outcomes {
  /** Null in the row that sums up all agents. */
  agent: string | null;
  hits: number;
  verified: number;
  unverified: number;
  pages: number;
  firstSeen: Date | null;
  lastSeen: Date | null;
}

interface BrandBinding extends Record<string, unknown> {
  brandKey: number;
}

/** The condition that a hit has an outcome. */
const hasStatus = (name: keyof typeof outcomes): string =>
  outcomes[name].statuses.map(([first, last]) => `status between ${first} and ${last ?? first}`).join(' or ');

const known = Object.keys(outcomes) as (keyof typeof outcomes)[];
/** Each outcome of some hits as a column. */
export const outcomeCounts = [
  ...known.map((name) => `count(*) filter (where ${hasStatus(name)}) as ${name}`),
  `count(*) filter (where (${known.map(hasStatus).join(' or ')}) is not true) as other`,
].join(', ');

const counted = [...outcomeNames, 'verified', 'unverified'];
const sums = counted.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', ');

/** Hits and distinct paths of each agent from one time up to another, and over all agents. */
const crawlerActivity = statement<AgentActivity, BrandBinding & { from: Date; until: Date }>(
  'crawler_activity',
  `with visited as (
     select agent, path, count(*) as hits, min(time) as first, max(time) as last, ${outcomeCounts},
       count(*) filter (where verified) as verified, count(*) filter (where not verified) as unverified
     from crawler_events
     where brand_key = :brandKey and time >= cast(:from as timestamptz) and time < cast(:until as timestamptz)
     group by agent, path
   )
   select agent, sum(hits)::bigint as hits, count(*) as pages, min(first) as "firstSeen", max(last) as "lastSeen", ${sums}
   from visited group by agent
   union all
   select null, coalesce(sum(hits), 0)::bigint, count(distinct path), min(first), max(last), ${sums} from visited`,
);

/** Every agent with a stored hit of any time. Takes one index step per agent, not per hit. */
const agentsSeen = statement<{ agent: string }, BrandBinding>(
  'agents_seen',
  `with recursive seen as (
     (select agent from crawler_events where brand_key = :brandKey order by agent limit 1)
     union all
     select (select e.agent from crawler_events e where e.brand_key = :brandKey and e.agent > seen.agent
             order by e.agent limit 1)
     from seen where seen.agent is not null
   )
   select agent from seen where agent is not null`,
);

interface CrawlerConnection {
  lastEventAt: Date;
  /** Whether any agent has a hit since a time. */
  active: boolean;
}

/** The brand's connection; no row: logs were never received. */
const crawlerConnection = statement<CrawlerConnection, BrandBinding & { since: Date }>(
  'crawler_connection',
  `select c.last_event_at as "lastEventAt", exists (
     select 1 from crawler_events e where e.brand_key = :brandKey and e.time >= cast(:since as timestamptz)
   ) as active
   from crawler_connections c where c.brand_key = :brandKey`,
);

interface CrawlerFacts {
  readonly connected: boolean;
  /** Whether any agent came in the last `WINDOW_DAYS`, whatever the window. */
  readonly active: boolean;
  readonly lastEventAt: string | null;
  /** Why robots.txt could not be fetched; null when it could. */
  readonly robotsFailure: string | null;
  /** Operators whose lists are too old, of agents that came. */
  readonly outdated: readonly string[];
  /** Whether hits are known to be of others, and none is verified. */
  readonly noneVerified: boolean;
  readonly unknown: number;
  /** Labels of blocked agents that, according to their vendors, may ignore robots.txt. */
  readonly blockedButFree: readonly string[];
}

/** The caveats that apply. */
const caveatsOf = ({
  connected,
  active,
  lastEventAt,
  robotsFailure,
  blockedButFree,
  ...facts
}: CrawlerFacts) =>
  noted([
    !connected && fact('no_logs'),
    connected && !active && fact('no_recent_logs', { time: lastEventAt! }),
    robotsFailure !== null && fact('no_robots', { reason: robotsFailure }),
    facts.unknown > 0 && fact('not_verified'),
    facts.outdated.length > 0 && fact('ranges_too_old', { names: facts.outdated }),
    facts.noneVerified && fact('none_verified'),
    blockedButFree.length > 0 && fact('may_ignore_robots', { names: blockedButFree }),
  ]);

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

const compute: Reader<'crawlers'> = async (
  { db, brand, today, now, robots },
  { from: first, to, days = WINDOW_DAYS },
) => {
  const brandKey = brand.key;
  const window = first && to ? { start: first, end: to } : windowEnding(today, days);
  const from = midnight(window.start);
  const until = midnight(addDays(window.end, 1));
  const since = midnight(windowEnding(today, WINDOW_DAYS).start);
  const [[connection], activity, seen, lists, { state }] = await Promise.all([
    crawlerConnection(db, { brandKey, since }),
    crawlerActivity(db, { brandKey, from, until }),
    agentsSeen(db, { brandKey }),
    addressLists(db),
    robots.of(brand.domain),
  ]);
  const connected = connection !== undefined;
  const totals = activity.find((row) => row.agent === null)!;
  const toldTo = tellerOf(state);
  const listsOf = (agent: string) =>
    findAgent(agent)?.ranges.flatMap((name) => lists.find((list) => list.name === name) ?? []) ?? [];
  const listed = listedAgents(seen.map((row) => row.agent)).map((agent) =>
    entryOf(
      agent,
      connected ? (activity.find((row) => row.agent === agent.key) ?? NO_HITS) : null,
      toldTo(agent),
      rangesDate(listsOf(agent.key)),
    ),
  );
  const came = activity.flatMap(({ agent }) => (agent === null ? [] : listsOf(agent)));
  const outdated = came.filter((list) => list.checked !== null && listEnd(list) <= now.getTime());
  const last_event_at = connection?.lastEventAt.toISOString() ?? null;
  return {
    brand: brandRefOf(brand),
    window_days: daysIn(window),
    connected,
    last_event_at,
    robots_fetch_state: state.state,
    totals: connected ? { hits: totals.hits, pages: totals.pages } : null,
    agents: listed.sort((a, b) => (b.hits ?? 0) - (a.hits ?? 0) || compareText(a.agent, b.agent)),
    ...caveatsOf({
      connected,
      active: connection?.active ?? false,
      lastEventAt: last_event_at,
      unknown: totals.hits - totals.verified - totals.unverified,
      outdated: [...new Set(outdated.map(({ operator }) => operator))].sort(compareText),
      noneVerified: totals.verified === 0 && totals.unverified > 0,
      robotsFailure: state.state === 'error' ? state.reason : null,
      blockedButFree: listed
        .filter((row) => row.robots?.verdict === 'blocked' && findAgent(row.agent)?.mayIgnoreRobots)
        .map((row) => row.label),
    }),
    window: { ...window, days: daysIn(window) },
  };
};

/** Changes with two more things than the brand's data: the stored hits, and the site's robots.txt. */
export const reader = withCaching(compute, {
  version: async (context) => {
    const { brand, robots } = context;
    const { checkedAt } = await robots.of(brand.domain);
    return `${dataVersion(context)} ${brand.crawlerVersion} ${checkedAt}`;
  },
  isCurrent: async (context) => {
    const { db, brand } = context;
    const [state] = await brandState(db, { brandKey: brand.key });
    return state!.crawlerVersion >= brand.crawlerVersion && hasDataVersion(context);
  },
});

const NO_HITS: AgentActivity = {
  agent: null,
  hits: 0,
  pages: 0,
  firstSeen: null,
  lastSeen: null,
  verified: 0,
  unverified: 0,
  ...(Object.fromEntries(outcomeNames.map((name) => [name, 0])) as unknown as Outcomes),
};

type ListedAgent = Pick<
  Agent,
  'key' | 'label' | 'operator' | 'engine' | 'inLogs' | 'robotsTokens' | 'robotsFallback'
> & { readonly purpose: CrawlerAgent['purpose'] };

/** The agents that are always listed, and every other agent with a stored hit. */
function listedAgents(seen: readonly string[]): ListedAgent[] {
  const stored = new Set(seen);
  const known = agents.filter((agent) => agent.defaultList || stored.has(agent.key));
  return [...known, ...seen.filter((key) => !findAgent(key)).map(unknownAgent)];
}

/** An agent that is not in the registry, because it was removed or was imported. Only its key is known. */
const unknownAgent = (key: string): ListedAgent => ({
  key,
  label: key,
  operator: '',
  purpose: 'unknown',
  engine: null,
  inLogs: true,
  robotsTokens: [key],
  robotsFallback: [],
});

type Told = Pick<CrawlerAgent, 'robots' | 'robots_signals'>;

/** What robots.txt says to agents. */
function tellerOf(state: RobotsState): (agent: ListedAgent) => Told {
  if (state.state === 'error') return () => ({ robots: null, robots_signals: null });
  const groups = state.state === 'ok' ? state.groups : [];
  const [verdictOf, signalsOf] = [robotsVerdicts(groups), robotsSignals(groups)];
  return (agent) => ({ robots: verdictOf(agent), robots_signals: signalsOf(agent) });
}

/** The day of the oldest copy; null: there is none of a list. */
const rangesDate = (lists: readonly AddressList[]): string | null =>
  lists.length === 0 || lists.some(({ checked }) => checked === null)
    ? null
    : lists.map(({ checked }) => checked!).sort()[0]!;

const outcomesOf = (activity: AgentActivity) =>
  Object.fromEntries(outcomeNames.map((name) => [name, activity[name]])) as unknown as NonNullable<
    CrawlerAgent['outcomes']
  >;

/** `activity` null: never connected, so nothing was measured; that an agent did not come is zero. */
function entryOf(
  agent: ListedAgent,
  activity: AgentActivity | null,
  told: Told,
  ranges_date: string | null,
): CrawlerAgent {
  return {
    agent: agent.key,
    label: agent.label,
    operator: agent.operator,
    purpose: agent.purpose,
    engine: agent.engine,
    hits: activity?.hits ?? null,
    pages: activity?.pages ?? null,
    outcomes: activity && outcomesOf(activity),
    verified_hits: activity?.verified ?? null,
    unverified_hits: activity?.unverified ?? null,
    unknown_hits: activity && activity.hits - activity.verified - activity.unverified,
    ranges_date,
    first_seen: activity?.firstSeen?.toISOString() ?? null,
    last_seen: activity?.lastSeen?.toISOString() ?? null,
    ...told,
    in_logs: agent.inLogs,
  };
}
