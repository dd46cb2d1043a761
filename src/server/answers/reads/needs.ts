/** What needs people, found in bodies of reads of the same days and filters. */
import { createHash } from 'node:crypto';
import type { CollectionFault } from '../../../contract/collection.js';
import { blendedEngineIds } from '../../../contract/engines.js';
import { measureNames } from '../../../contract/measures.js';
import { CRAWLER_REFUSALS, type MoveKind } from '../../../contract/moves.js';
import { type BareNeed, NEWS_DAYS } from '../../../contract/needs.js';
import {
  type Need,
  type NeedFacts,
  type NeedKind,
  need,
  needFacts,
  needKinds,
  urgentKinds,
} from '../../../contract/reads/briefing.js';
import type { CrawlerAgent, Crawlers } from '../../../contract/reads/crawlers.js';
import type { FactCheck } from '../../../contract/reads/fact-check.js';
import type {
  CrawlGap,
  GapKind,
  Gaps,
  LostPage,
  PromptWithinReach,
  SourceGap,
} from '../../../contract/reads/gaps.js';
import type { Moves } from '../../../contract/reads/moves.js';
import type { Overview } from '../../../contract/reads/overview.js';
import type { Prompt } from '../../../contract/reads/prompts.js';
import type { Sentiment } from '../../../contract/reads/sentiment.js';
import { type BodyOf, type ResourceName, resources } from '../../../contract/registry.js';
import { runFilterNames } from '../../../contract/slice.js';
import { feedsAnswers } from '../../../logs/agents/agent.js';
import { daysBetween } from '../../base/days.js';
import { compilePattern, matchesPath } from '../../base/robots/parse.js';

/** What needs are found in. What was not read, or is of another choice, is omitted. */
export interface NeedReads {
  readonly today: string;
  readonly archived: boolean;
  /** The newest collected day of the last weeks; null: there is none. */
  readonly newest: string | null;
  readonly fault: CollectionFault | null;
  readonly overview: Overview;
  /** The prompts of the slice that the briefing is about. */
  readonly prompts?: readonly Pick<Prompt, 'presence_rate' | 'run_count'>[] | undefined;
  readonly sentiment?: Sentiment | undefined;
  readonly crawlers?: Crawlers | undefined;
  readonly urls?: BodyOf<'urls'> | undefined;
  readonly factCheck?: FactCheck | undefined;
  readonly moves?: Moves | undefined;
  readonly gaps?: { readonly [K in GapKind]?: Gaps | undefined };
}

/** Kinds of which one is told at a time: the first that nobody set aside. */
const ONE_AT_A_TIME: ReadonlySet<NeedKind> = new Set(['bad_news', 'source_to_win']);

/**
 * What is urgent, then those of the most answers or citations, then the others.
 * @param isAside Whether a need is set aside. Such needs are returned too; of a kind that is told one at a time the next follows.
 */
export function needsOf(reads: NeedReads, isAside: (need: BareNeed) => boolean = () => false): BareNeed[] {
  const found = needKinds.flatMap((kind) => {
    const needs = finders[kind](reads).map((each) => needOf(kind, each, reads));
    if (!ONE_AT_A_TIME.has(kind)) return needs;
    const first = needs.find((need) => !isAside(need));
    return needs.filter((need) => need === first || isAside(need));
  });
  const urgency = ({ kind }: BareNeed): number => {
    const place = (urgentKinds as readonly NeedKind[]).indexOf(kind);
    return place === -1 ? urgentKinds.length : place;
  };
  const worth = (need: BareNeed): number => need.worth ?? -1;
  return found.sort((a, b) => urgency(a) - urgency(b) || worth(b) - worth(a));
}

interface Finding {
  readonly facts: Partial<NeedFacts>;
  readonly worth?: number | null;
  readonly read: ResourceName;
  /** Parameters besides those of the days and filters. */
  readonly params?: Partial<Params>;
}

type Params = Need['lead']['params'];

const nothingOf = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
const NO_FACTS = nothingOf(needFacts.fields) as NeedFacts;
const NO_PARAMS = nothingOf(need.fields.lead.fields.params.fields) as Params;

const needOf = (
  kind: NeedKind,
  { facts, worth = null, read, params }: Finding,
  { overview }: NeedReads,
): BareNeed => {
  const all = { ...NO_FACTS, ...facts };
  return { id: needId(kind, all), kind, worth, facts: all, lead: leadTo(read, overview, params) };
};

/** What a need of a kind is about, where there may be several of the kind. */
const subjects: { readonly [K in NeedKind]?: (facts: NeedFacts) => string | null } = {
  bad_news: ({ subject }) => subject,
  wrong_fact: ({ engine, said }) => `${engine}:${digestOf(said ?? '')}`,
  path_closed: ({ subject }) => subject,
  engine_never_names: ({ engine }) => engine,
  source_to_win: ({ subject }) => subject,
};

function needId(kind: NeedKind, facts: NeedFacts): string {
  const subject = subjects[kind]?.(facts) ?? null;
  return subject === null ? kind : `${kind}:${subject}`;
}

/** So many digits tell the claims about one brand apart. */
const DIGITS = 10;
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, DIGITS);

/** A read of the same days and filters, as far as it takes them. */
function leadTo(read: ResourceName, { slice, window }: Overview, more: Finding['params']): Need['lead'] {
  const filters = (['engine', ...runFilterNames] as const).flatMap((name) => {
    const values = slice?.[`${name}s`];
    return values ? [[name, values.join()]] : [];
  });
  const params = {
    ...NO_PARAMS,
    from: window.start,
    to: window.end,
    ...Object.fromEntries(filters),
    ...more,
  };
  const known = resources[read].params;
  const taken = Object.entries(params).map(([name, value]) => [name, name in known ? value : null]);
  return { read, params: Object.fromEntries(taken) };
}

const finders: { readonly [K in NeedKind]: (reads: NeedReads) => Finding[] } = {
  collection_failed: ({ archived, newest, fault }) =>
    fault === null || archived ? [] : [{ facts: { fault, since: newest }, read: 'brands' }],
  collection_stalled: (reads) =>
    isStalled(reads) && reads.fault === null
      ? [{ facts: { since: reads.newest }, read: 'metrics/history' }]
      : [],
  bad_news: badNews,
  wrong_fact: ({ factCheck, overview }) =>
    (factCheck?.fact_check?.discrepancies ?? [])
      .filter(
        ({ engine, severity }) => severity === 'high' && (overview.slice?.engines?.includes(engine) ?? true),
      )
      .map(({ engine, claim, truth }) => ({ facts: { engine, said: claim, truth }, read: 'fact-check' })),
  metric_fell: metricsFell,
  path_closed: closedPaths,
  crawlers_refused: refusedCrawlers,
  engine_never_names: ({ overview, sentiment }) =>
    (sentiment?.by_engine ?? [])
      // Where no engine names the brand, the sentence says so.
      .filter(({ mentions, run_count }) => mentions === 0 && isNever(run_count, overview.presence_rate ?? 0))
      .map(({ engine, run_count }) => ({
        facts: { engine, count: 0, of: run_count },
        worth: run_count,
        read: 'answers',
        params: { engine },
      })),
  never_named_prompts: ({ prompts = [] }) => {
    const asked = prompts.filter(({ run_count }) => run_count > 0);
    const absent = asked.filter(({ presence_rate }) => presence_rate === 0);
    if (absent.length === 0) return [];
    const worth = absent.reduce((sum, { run_count }) => sum + run_count, 0);
    return [{ facts: { count: absent.length, of: asked.length }, worth, read: 'prompts' }];
  },
  within_reach: ({ gaps }) => {
    const rows = rowsOf<PromptWithinReach>(gaps?.within_reach);
    const [first] = rows;
    if (first === undefined) return [];
    const worth = rows.reduce((sum, { answers }) => sum + answers, 0);
    return [ofGaps('within_reach', { count: rows.length, gain: first.brand_gain }, worth)];
  },
  source_to_win: ({ gaps }) =>
    rowsOf<SourceGap>(gaps?.sources).map(({ domain, answers }) =>
      ofGaps('sources', { subject: domain, count: answers }, answers),
    ),
  bad_tone: ({ sentiment }) => {
    const { negative, mentions } = sentiment?.entities.find(({ is_brand }) => is_brand) ?? {};
    if (!negative || !mentions) return [];
    const engine = (sentiment?.engines ?? blendedEngineIds).join();
    const facts = { count: negative, of: mentions };
    return [{ facts, worth: negative, read: 'answers', params: { tone: 'negative', engine } }];
  },
  pages_lost: ({ gaps }) => {
    const lost = rowsOf<LostPage>(gaps?.lost_pages).filter(({ p_value }) => p_value <= LOST_BELOW);
    const [first] = lost;
    if (first === undefined) return [];
    const worth = lost.reduce((sum, { citations_before }) => sum + citations_before, 0);
    return [
      ofGaps('lost_pages', { subject: first.url, count: lost.length, of: first.citations_before }, worth),
    ];
  },
  pages_refused: ({ gaps }) => {
    const pages = rowsOf<CrawlGap>(gaps?.crawl).filter(({ fault }) => fault === 'refused');
    const [first] = pages;
    if (!first) return [];
    const { url, refused, requests } = first;
    const worth = pages.reduce((sum, { citations }) => sum + citations, 0);
    return [ofGaps('crawl', { subject: url, count: pages.length, refused, of: requests }, worth)];
  },
  logs_silent: ({ crawlers, today }) => {
    if (crawlers === undefined) return [];
    const since = crawlers.last_event_at?.slice(0, 10) ?? null;
    const isSilent = since === null ? !crawlers.connected : daysBetween(since, today) >= STALLED_AFTER_DAYS;
    return isSilent ? [{ facts: { since }, read: 'crawlers' }] : [];
  },
  facts_stale: ({ factCheck }) => {
    if (factCheck === undefined) return [];
    const check = factCheck.fact_check;
    if (check !== null && !check.stale) return [];
    const facts = { since: check?.checked_at.slice(0, 10) ?? null, count: check?.age_days ?? null };
    return [{ facts, read: 'fact-check' }];
  },
};

const rowsOf = <Row>(body: Gaps | undefined): readonly Row[] => (body?.gaps ?? []) as unknown as Row[];

const ofGaps = (kind: GapKind, facts: Finding['facts'], worth: number): Finding => ({
  facts,
  worth,
  read: 'gaps',
  params: { kind },
});

/** The largest p value of a page that is said to be lost. */
const LOST_BELOW = 0.05;

/** Days without an answer or a log after which they count as stalled: the day that runs is not complete. */
const STALLED_AFTER_DAYS = 2;

/** Whether a brand that is not archived has had no answer for days. */
export const isStalled = ({
  today,
  archived,
  newest,
}: Pick<NeedReads, 'today' | 'archived' | 'newest'>): boolean =>
  !archived && newest !== null && daysBetween(newest, today) >= STALLED_AFTER_DAYS;

const BAD_NEWS: ReadonlySet<string> = new Set([
  'crawler_silent',
  'crawler_refused',
  'collection_missed',
  'collection_incomplete',
  'health_degraded',
] satisfies MoveKind[]);

/** Bad news of the last days, the newest night first, in it what is worth the most; each with the number of those from it on. */
function badNews(reads: NeedReads): Finding[] {
  // That nothing is collected is said already.
  const isSaid = reads.fault !== null || isStalled(reads);
  const news = (reads.moves?.moves ?? []).filter(
    ({ current, direction, kind, entity, day, role }) =>
      current &&
      role !== 'folded' &&
      (BAD_NEWS.has(kind) || (direction === 'down' && entity === null)) &&
      !(isSaid && kind.startsWith('collection_')) &&
      daysBetween(day, reads.today) <= NEWS_DAYS,
  );
  return news.map(({ id, kind, day, text, because, why, engine }, at): Finding => {
    const count = news.length - at;
    const facts = { subject: id, since: day, said: text, reason: because, engine, count };
    if (why === null) return { facts, read: kind.startsWith('collection_') ? 'moves' : 'crawlers' };
    const { metric, from, to } = why;
    return { facts, read: 'why', params: { metric, engine: why.engine, from, to } };
  });
}

/** The metrics that moved down, in one need: all are about the same answers. */
function metricsFell({ overview }: NeedReads): Finding[] {
  const metrics = measureNames.flatMap((metric) => {
    const { verdict, previous, difference } = overview.change[metric];
    const value = overview[metric];
    if (verdict !== 'down' || value === null || previous === null || difference === null) return [];
    return [{ metric, value, previous, difference }];
  });
  const [first] = metrics;
  if (first === undefined) return [];
  return [{ facts: { metrics }, worth: overview.run_count, read: 'why', params: { metric: first.metric } }];
}

/**
 * “Never” needs so many answers, and that even the upper bound of the share that names the brand is below this part of the
 * share over all engines: the engine names the brand less often than the others, by more than chance explains.
 */
export const NEVER = { answers: 20, ofPresence: 0.5 } as const;
const Z = 1.96;

/** The upper bound of Wilson’s interval for none of so many answers, as `estimators.wilson` takes their number. */
const upperBoundOfNone = (answers: number): number => Z ** 2 / (answers / 2 + Z ** 2);

/**
 * Whether none of so many answers carries the word “never”.
 * @param presence The share of answers of all engines that name the brand.
 */
export const isNever = (answers: number, presence: number): boolean =>
  answers >= NEVER.answers && upperBoundOfNone(answers) < NEVER.ofPresence * presence;

/** What robots.txt closes to crawlers that feed answers: the site, or a path with pages of the brand that answers cite. */
function closedPaths({ crawlers, urls, sentiment }: NeedReads): Finding[] {
  const kept = (crawlers?.agents ?? []).filter(isForAnswers);
  return [...new Set(kept.map(closedTo))].flatMap((path): Finding[] => {
    if (path === null) return [];
    const agents = kept.filter((agent) => closedTo(agent) === path);
    const facts = { subject: path, crawlers: agents.map(({ label }) => label) };
    if (path === SITE) {
      const fed = new Set(agents.flatMap(({ engine }) => engine ?? []));
      const known = (sentiment?.by_engine ?? []).filter(({ engine }) => fed.has(engine));
      const worth = known.length === 0 ? null : known.reduce((sum, { run_count }) => sum + run_count, 0);
      return [{ facts, worth, read: 'crawlers' }];
    }
    const count = (urls?.urls ?? []).filter(
      ({ classification, url }) => classification === 'owned' && isBelow(path, url),
    ).length;
    return count === 0 ? [] : [{ facts: { ...facts, count }, read: 'urls' }];
  });
}

/** Crawlers that robots.txt lets in, and that got a refusal for half of their requests or more. */
function refusedCrawlers({ crawlers }: NeedReads): Finding[] {
  const found = (crawlers?.agents ?? [])
    .filter((agent) => isForAnswers(agent) && agent.robots !== null && closedTo(agent) !== SITE)
    .map((agent) => ({ label: agent.label, ...refusalsOf(agent) }))
    .filter(({ of, refused }) => of >= CRAWLER_REFUSALS.least && 2 * refused >= of);
  if (found.length === 0) return [];
  const sum = (of: (each: (typeof found)[number]) => number) =>
    found.reduce((total, each) => total + of(each), 0);
  const facts = {
    crawlers: found.map(({ label }) => label),
    of: sum(({ of }) => of),
    refused: sum(({ refused }) => refused),
  };
  return [{ facts, read: 'crawlers' }];
}

/**
 * Requests of the agent, and how many were refused. Requests that are known to be of others are subtracted from both, because
 * all of them may have been refused.
 */
function refusalsOf({ hits, outcomes, unverified_hits }: CrawlerAgent): { of: number; refused: number } {
  const others = unverified_hits ?? 0;
  const { refused = 0, payment_required = 0, throttled = 0, failed = 0 } = outcomes ?? {};
  const all = refused + payment_required + throttled + failed;
  return { of: Math.max(0, (hits ?? 0) - others), refused: Math.max(0, all - others) };
}

const SITE = '/';

/** What is closed to a crawler; null: nothing, or not known. */
const closedTo = ({ robots }: CrawlerAgent): string | null =>
  robots?.verdict === 'blocked' ? SITE : (robots?.blocked_path ?? null);

/** Whether paths are closed to crawlers that answers need, so that cited pages may lie below them. */
export const hasClosedPaths = ({ agents }: Crawlers): boolean =>
  agents.filter(isForAnswers).some((agent) => ![null, SITE].includes(closedTo(agent)));

const isForAnswers = ({ purpose }: CrawlerAgent): boolean => feedsAnswers(purpose);

function isBelow(path: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { pathname, search } = new URL(url);
  return matchesPath(compilePattern(path), pathname + search);
}
