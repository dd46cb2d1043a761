import { statement } from './statement.js';

export interface AgentActivity {
  /** Null in the row that sums up all agents. */
  agent: string | null;
  hits: number;
  pages: number;
  firstSeen: Date | null;
  lastSeen: Date | null;
}

interface BrandBinding extends Record<string, unknown> {
  brandKey: number;
}

/** Hits and distinct paths of each agent from one time up to another, and over all agents. */
export const crawlerActivity = statement<AgentActivity, BrandBinding & { from: Date; until: Date }>(
  'crawler_activity',
  `with visited as (
     select agent, path, count(*) as hits, min(time) as first, max(time) as last
     from crawler_events
     where brand_key = :brandKey and time >= cast(:from as timestamptz) and time < cast(:until as timestamptz)
     group by agent, path
   )
   select agent, sum(hits)::bigint as hits, count(*) as pages, min(first) as "firstSeen", max(last) as "lastSeen"
   from visited group by agent
   union all
   select null, coalesce(sum(hits), 0)::bigint, count(distinct path), min(first), max(last) from visited`,
);

/** Every agent with a stored hit of any time. Takes one index step per agent, not per hit. */
export const agentsSeen = statement<{ agent: string }, BrandBinding>(
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

export interface CrawlerConnection {
  lastEventAt: Date;
  /** Whether any agent has a hit since a time. */
  active: boolean;
}

/** The brand's connection; no row: logs were never received. */
export const crawlerConnection = statement<CrawlerConnection, BrandBinding & { since: Date }>(
  'crawler_connection',
  `select c.last_event_at as "lastEventAt", exists (
     select 1 from crawler_events e where e.brand_key = :brandKey and e.time >= cast(:since as timestamptz)
   ) as active
   from crawler_connections c where c.brand_key = :brandKey`,
);
