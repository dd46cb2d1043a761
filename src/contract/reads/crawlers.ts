import type { Definition } from '../definition.js';
import { brand, customRange, type Param } from '../params.js';
import { brandRef, caveats, defineRead, windowDays } from '../read.js';
import {
  count,
  flag,
  type Infer,
  list,
  nullable,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  text,
} from '../schema.js';
import { windowOr } from '../slice.js';

export const signalKinds = ['content_signal', 'content_usage', 'license'] as const;

const noLogs = 'null: no log was ever received; 0: logs arrive, and it did not come';

const hits: Definition = {
  what: 'The requests of AI crawlers.',
  formula: 'stored log lines of the agent in the window',
  unit: 'requests',
  empty: noLogs,
};

const pages: Definition = {
  what: 'The paths that AI crawlers requested.',
  formula: 'distinct paths in the window',
  unit: 'paths',
  empty: noLogs,
};

/** What the site answered, by the status of the response, in this order. */
export const outcomes = {
  served: { what: '2xx and 3xx', statuses: [[200, 399]] },
  not_found: { what: '404 and 410', statuses: [[404], [410]] },
  refused: { what: '401, 403 and 451', statuses: [[401], [403], [451]] },
  payment_required: { what: '402', statuses: [[402]] },
  throttled: { what: '429', statuses: [[429]] },
  failed: { what: '5xx', statuses: [[500, 599]] },
} as const satisfies Readonly<Record<string, Outcome>>;

interface Outcome {
  readonly what: string;
  /** Statuses, or the first and the last of a range. */
  readonly statuses: readonly (readonly [number] | readonly [number, number])[];
}

export const outcomeNames = [...(Object.keys(outcomes) as (keyof typeof outcomes)[]), 'other'] as const;
export type OutcomeName = (typeof outcomeNames)[number];

const requestsByOutcome: Definition = {
  name: 'outcomes',
  what: 'What the site answered to crawlers.',
  formula: `stored log lines of the agent in the window by the status of the response: ${Object.entries(
    outcomes,
  )
    .map(([name, { what }]) => `${name} ${what}`)
    .join('; ')}; other: any other status, and lines without one`,
  unit: 'requests',
  empty: noLogs,
};

const outcomeCount = (what: string) => count(what, requestsByOutcome);

const verifiedCount = (name: string, what: string, formula: string) =>
  count(`${what}; null when no logs were ever connected`, {
    name,
    what: `${what}.`,
    formula,
    unit: 'requests',
    empty: noLogs,
  });

export const crawlerAgent = part('An AI agent: its requests, and the rules of robots.txt for it', {
  agent: text('Stable key of the agent'),
  label: text('Name to show', 'crawler'),
  operator: text('Company that runs the agent; empty when the agent is no longer known'),
  purpose: oneOfOrNewer(
    ['training', 'search_index', 'user_fetch', 'ad_check', 'unknown'],
    'What the agent fetches for; blocking search_index or user_fetch removes the site from answers. ad_check: it checks pages that are advertised. unknown: the logs hold it, the registry no longer does',
  ),
  engine: nullable(
    text('Engine whose answers the agent feeds; null when it feeds none, or several', 'feeds'),
  ),
  hits: nullable(count('Requests in the window; null when no logs were ever connected', hits)),
  pages: nullable(count('Distinct paths in the window; null when no logs were ever connected', pages)),
  outcomes: nullable(
    object(
      {
        ...(Object.fromEntries(
          Object.entries(outcomes).map(([name, { what }]) => [name, outcomeCount(`Status ${what}`)]),
        ) as Record<keyof typeof outcomes, ReturnType<typeof outcomeCount>>),
        other: outcomeCount('Any other status, or none in the log line'),
      },
      'hits by what the site answered; null when no logs were ever connected',
    ),
  ),
  verified_hits: nullable(
    verifiedCount(
      'verified_hits',
      'Requests from an address that the operator publishes as the agent’s',
      'stored log lines whose client address was in a list of the operator when they arrived',
    ),
  ),
  unverified_hits: nullable(
    verifiedCount(
      'unverified_hits',
      'Requests from another address: most likely somebody else',
      'stored log lines whose client address was in no list of the operator when they arrived',
    ),
  ),
  unknown_hits: nullable(
    verifiedCount(
      'unknown_hits',
      'Requests that could not be verified',
      'stored log lines without a usable client address, or of an agent whose list is older than 90 days or missing',
    ),
  ),
  ranges_date: nullable(
    text(
      'Day on which the oldest of the operator’s address lists was last fetched; null: it publishes none for the agent, or no copy is at hand',
    ),
  ),
  first_seen: nullable(text('First request in the window, ISO 8601; null without one')),
  last_seen: nullable(text('Last request in the window, ISO 8601; null without one')),
  robots: nullable(
    object(
      {
        verdict: oneOf(
          ['allowed', 'blocked', 'unaddressed'],
          'About the root of the site; unaddressed: no group names the agent and none closes the site to all',
        ),
        rule: nullable(text('The deciding line with its group, as written; null when no rule decided')),
        blocked_path: nullable(
          text('/ when the site is closed, else the first pattern that closes a part; null when nothing is'),
        ),
      },
      'What robots.txt says to the agent; null when it could not be fetched',
    ),
  ),
  robots_signals: nullable(
    list(
      object(
        {
          kind: oneOfOrNewer(signalKinds, 'Content-Signal, Content-Usage (IETF aipref) or License (RSL)'),
          line: text('The line as written, with its group; a License is for all agents'),
        },
        'A statement about the use of content',
      ),
      'What robots.txt states to the agent besides allow and disallow; the verdict does not depend on it; null when it could not be fetched',
    ),
  ),
  in_logs: flag('False for names that exist in robots.txt only: no request ever carries them'),
});

const DAYS = [7, 14, 28] as const;

const days = {
  kind: 'choice',
  values: DAYS,
  default: DAYS[0],
  description: `Days of the window, which ends today (UTC): ${DAYS.join(', ')} (default ${DAYS[0]})`,
  brief: `Days that end today; default ${DAYS[0]}`,
} as const satisfies Param;

export const crawlers = defineRead({
  path: 'crawlers',
  tool: 'get_crawler_analytics',
  group: 'site',
  mainRows: { at: ['agents'] },
  summary: 'Visits of AI crawlers to the brand’s site, and what its robots.txt says to them',
  guide:
    'Do AI crawlers visit the site, and what does robots.txt say to them? hits null: no log was ever connected; 0: logs arrive, and the agent did not. robots null: not fetched. Blocking search_index or user_fetch removes the site from answers. Needs the Growth plan or above.',
  needsRuns: false,
  plan: 'growth',
  planSubject: 'Crawler analytics',
  params: { brand, days, ...customRange },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    connected: flag('Crawler logs were received for the brand at least once'),
    last_event_at: nullable(
      text('Newest request of any kind on record, whatever the window, ISO 8601; null: never connected'),
    ),
    robots_fetch_state: oneOf(
      ['ok', 'absent', 'error'],
      'absent: there is no robots.txt, so nothing is blocked; error: the check failed, so verdicts are null',
    ),
    totals: nullable(
      object(
        {
          hits: count('Requests of all agents', hits),
          pages: count('Distinct paths over all agents', pages),
        },
        'Totals of the window; null when not connected',
      ),
    ),
    agents: list(crawlerAgent, 'Known agents and any other in the logs, by hits descending, then by key'),
    ...caveats,
    window: windowOr('days that end today'),
  }),
});

export type Crawlers = Infer<typeof crawlers.response>;
export type CrawlerAgent = Infer<typeof crawlerAgent>;
