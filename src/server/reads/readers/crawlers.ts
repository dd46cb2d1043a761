import { WINDOW_DAYS } from '../../../contract/limits.js';
import type { CrawlerAgent } from '../../../contract/reads/crawlers.js';
import { compareText } from '../../../contract/text-order.js';
import { type Agent, agents, findAgent } from '../../../logs/index.js';
import { addDays, daysIn, windowEnding } from '../../days.js';
import { brandState } from '../../queries/brand-versions.js';
import {
  type AgentActivity,
  agentsSeen,
  crawlerActivity,
  crawlerConnection,
} from '../../queries/crawler-activity.js';
import type { RobotsState } from '../../robots/fetch.js';
import { robotsVerdicts } from '../../robots/verdict.js';
import { brandRefOf, type Compute, dataVersion, hasDataVersion, type Reader } from '../reader.js';
import { crawlerNote } from './crawler-notes.js';

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

const compute: Compute<'crawlers'> = async (
  { db, brand, today, robots },
  { from: first, to, days = WINDOW_DAYS },
) => {
  const brandKey = brand.key;
  const window = first && to ? { start: first, end: to } : windowEnding(today, days);
  const from = midnight(window.start);
  const until = midnight(addDays(window.end, 1));
  const since = midnight(windowEnding(today, WINDOW_DAYS).start);
  const [[connection], activity, seen, { state }] = await Promise.all([
    crawlerConnection(db, { brandKey, since }),
    crawlerActivity(db, { brandKey, from, until }),
    agentsSeen(db, { brandKey }),
    robots.of(brand.domain),
  ]);
  const connected = connection !== undefined;
  const totals = activity.find((row) => row.agent === null)!;
  const robotsOf = verdictsOf(state);
  const listed = listedAgents(seen.map((row) => row.agent)).map((agent) =>
    entryOf(
      agent,
      connected ? (activity.find((row) => row.agent === agent.key) ?? NO_HITS) : null,
      robotsOf(agent),
    ),
  );
  const last_event_at = connection?.lastEventAt.toISOString() ?? null;
  return {
    brand: brandRefOf(brand),
    window_days: daysIn(window),
    connected,
    last_event_at,
    robots_fetch_state: state.state,
    totals: connected ? { hits: totals.hits, pages: totals.pages } : null,
    agents: listed.sort((a, b) => (b.hits ?? 0) - (a.hits ?? 0) || compareText(a.agent, b.agent)),
    note: crawlerNote({
      connected,
      active: connection?.active ?? false,
      lastEventAt: last_event_at,
      hits: totals.hits,
      robotsFailure: state.state === 'error' ? state.reason : null,
      blockedButFree: listed
        .filter((row) => row.robots?.verdict === 'blocked' && findAgent(row.agent)?.mayIgnoreRobots)
        .map((row) => row.label),
    }),
    window: { ...window, days: daysIn(window) },
  };
};

/** Changes with two more things than the brand's data: the stored hits, and the site's robots.txt. */
export const crawlersReader: Reader<'crawlers'> = {
  compute,
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
};

const NO_HITS: AgentActivity = { agent: null, hits: 0, pages: 0, firstSeen: null, lastSeen: null };

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

const verdictsOf = (state: RobotsState): ((agent: ListedAgent) => CrawlerAgent['robots']) =>
  state.state === 'error' ? () => null : robotsVerdicts(state.state === 'ok' ? state.groups : []);

/** `activity` null: never connected, so nothing was measured; that an agent did not come is zero. */
function entryOf(
  agent: ListedAgent,
  activity: AgentActivity | null,
  robots: CrawlerAgent['robots'],
): CrawlerAgent {
  return {
    agent: agent.key,
    label: agent.label,
    operator: agent.operator,
    purpose: agent.purpose,
    engine: agent.engine,
    hits: activity?.hits ?? null,
    pages: activity?.pages ?? null,
    first_seen: activity?.firstSeen?.toISOString() ?? null,
    last_seen: activity?.lastSeen?.toISOString() ?? null,
    robots,
    in_logs: agent.inLogs,
  };
}
