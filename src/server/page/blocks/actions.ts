/** What needs the reader: findings of the summary, and what other blocks show, each with a link to what it is about. */

import {
  type Attention,
  attentionBlocks,
  attentionOf,
  gapsToRead,
  MAX_ITEMS,
} from '../../../contract/attention.js';
import { FACT_CHECK_STALE_DAYS } from '../../../contract/limits.js';
import { measureNames } from '../../../contract/measures.js';
import type { MoveKind } from '../../../contract/moves.js';
import type { CrawlerAgent } from '../../../contract/reads/crawlers.js';
import type { GapKind } from '../../../contract/reads/gaps.js';
import type { Move } from '../../../contract/reads/moves.js';
import type { Prompt } from '../../../contract/reads/prompts.js';
import type { CitedUrl } from '../../../contract/reads/urls.js';
import { daysBetween } from '../../days.js';
import { compilePattern, matchesPath } from '../../robots/parse.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { card, empty, loadedOr } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { phrase, readIn } from '../parts/phrase.js';
import { engineName, longDay, noun, userText } from '../parts/text.js';
import type { Loaded, Served, Withheld } from '../reads.js';
import type { GapsReads } from './gaps.js';
import { WHY, WHY_ASKED } from './why.js';

export interface ActionReads {
  readonly today: string;
  readonly archived: boolean;
  /** The newest collected day; null if there is none. */
  readonly newest: string | null;
  readonly overview: Loaded<'overview'> | Withheld;
  /** Those that the page is about; empty: their answers are not known. */
  readonly prompts: readonly Prompt[];
  /** Null: the read has not all filters of the page. */
  readonly sentiment: Loaded<'sentiment'> | null;
  readonly crawlers: Loaded<'crawlers'> | Withheld;
  readonly gaps: GapsReads;
  readonly urls: Loaded<'urls'> | Withheld;
  readonly factCheck: Loaded<'fact-check'> | Withheld;
  /** Null: the page has filters, which moves have not. */
  readonly moves: Loaded<'moves'> | Withheld | null;
  /** The engine filter; undefined if answers of every engine were checked. */
  readonly engines: readonly string[] | undefined;
}

/** A finding. */
interface Need {
  readonly words: Markup;
  /** What to look at, or what to ask for. */
  readonly advice: Markup;
  /** Where its list is. */
  readonly href: string;
  /** The read that has its numbers. */
  readonly source?: string | undefined;
}

const COLLECTION_ADVICE = 'Ask whoever operates this server to look at the collection.';

/** Days without an answer after which collection counts as stalled: the day that runs is not complete. */
const STALLED_AFTER_DAYS = 2;

/** The most urgent first: what makes all numbers old, what is wrong, then the summary's findings by their answers. */
export const needsOf = (reads: ActionReads, leads: Leads): Need[] => [
  ...collection(reads),
  ...told(reads, leads),
  ...wrongFacts(reads, leads),
  ...findings(reads, leads),
  ...closedPaths(reads),
  ...pipe(reads),
  ...staleFacts(reads),
];

/** What is known to be well, where nothing needs anybody: no more than was measured. */
export function quietWords(reads: ActionReads): string {
  const { overview, urls, crawlers, factCheck, newest } = reads;
  const isMeasured = 'body' in overview && overview.body.run_count > 0;
  const isCompared =
    isMeasured && measureNames.some((name) => overview.body.change[name].verdict !== 'unknown');
  const isCited = 'body' in urls && urls.body.urls.some(({ classification }) => classification === 'owned');
  const hasRobots = 'body' in crawlers && crawlers.body.agents.some(({ robots }) => robots !== null);
  const check = 'body' in factCheck ? factCheck.body.fact_check : null;
  const known = [
    newest !== null && !reads.archived && !isStalled(reads) && 'collection runs',
    isCompared && 'no metric fell',
    isCited && hasRobots && 'no cited page is closed to crawlers',
    check?.discrepancies.length === 0 && 'the facts were checked',
  ].filter((each) => each !== false);
  const quiet =
    known.length === 0
      ? null
      : `${known.slice(0, -1).join(', ')}${known.length > 1 ? ', and ' : ''}${known.at(-1)}`;
  if (isMeasured) return quiet === null ? 'Nothing was found.' : `Nothing: ${quiet}.`;
  return `Not known: nothing was measured in these days${quiet === null ? '' : `; ${quiet}`}.`;
}

/** @param quiet What is said if there are none. @param beyond What they are not filtered by, in words. */
export function actions(needs: readonly Need[], quiet: string, beyond: string | undefined): Markup {
  const more = needs.slice(MAX_ITEMS);
  return card(
    { id: 'actions', title: 'What needs you', about: beyond, kind: 'needed' },
    needs.length === 0
      ? empty(quiet)
      : html`<ol class="needs">${needs.slice(0, MAX_ITEMS).map(line)}</ol>
          ${more.length === 0 ? null : html`<details class="numbers"><summary>${more.length} more</summary><ol class="needs" start=${MAX_ITEMS + 1}>${more.map(line)}</ol></details>`}`,
  );
}

const line = ({ words, advice, href, source }: Need): Markup =>
  html`<li data-source=${source}><a href=${href}>${words}</a> <small>${advice}</small></li>`;

/** Whether a brand that is not archived has had no answer for days. */
export const isStalled = ({
  today,
  archived,
  newest,
}: Pick<ActionReads, 'today' | 'archived' | 'newest'>): boolean =>
  !archived && newest !== null && daysBetween(newest, today) >= STALLED_AFTER_DAYS;

function collection(reads: ActionReads): Need[] {
  if (!isStalled(reads)) return [];
  return [
    {
      words: html`Collection has stalled: the newest answer is from <time datetime=${reads.newest}>${longDay(reads.newest!)}</time>`,
      advice: COLLECTION_ADVICE,
      href: '#visibility',
    },
  ];
}

/** Moves of the last days are news. */
const NEWS_DAYS = 7;

const BAD_NEWS: ReadonlySet<string> = new Set([
  'crawler_silent',
  'crawler_refused',
  'collection_missed',
  'collection_incomplete',
  'health_degraded',
] satisfies MoveKind[]);

/** Where the page shows more about it, and what to do. */
function remedyOf({ kind, why, because }: Move, leads: Leads): Pick<Need, 'href' | 'advice'> {
  if (why) return { href: leads.move(why), advice: because === null ? 'See why.' : userText(because, 300) };
  return kind.startsWith('collection_')
    ? { href: '#visibility', advice: COLLECTION_ADVICE }
    : { href: '#crawlers', advice: 'See what crawlers do.' };
}

/** The move of the newest night with bad news that is worth the most, and how many others were told. */
function told(reads: ActionReads, leads: Leads): Need[] {
  const read = loadedOr(null, reads.moves);
  // That nothing is collected is said already.
  const isNew = (kind: string) => !isStalled(reads) || !kind.startsWith('collection_');
  const news = (read?.body.moves ?? []).filter(
    ({ current, direction, kind, entity, day, role }) =>
      current &&
      role !== 'folded' &&
      (BAD_NEWS.has(kind) || (direction === 'down' && entity === null)) &&
      isNew(kind) &&
      daysBetween(day, reads.today) <= NEWS_DAYS,
  );
  const [first] = news;
  if (!first) return [];
  const others = news.length - 1;
  const { href, advice } = remedyOf(first, leads);
  const more = `${others} ${noun(others, 'move')} more in the last ${NEWS_DAYS} days.`;
  return [
    {
      words: userText(first.text.replace(/\.$/, ''), 200),
      advice: others === 0 ? advice : html`${advice} ${more}`,
      href,
      source: read!.source,
    },
  ];
}

// The findings of the summary.

function findings(reads: ActionReads, leads: Leads): Need[] {
  const { overview, prompts, sentiment, crawlers, gaps } = reads;
  if ('refused' in overview) return [];
  const crawl = 'refused' in crawlers ? undefined : crawlers;
  const loaded: Readonly<Record<string, Served | undefined | null>> = {
    overview,
    sentiment,
    crawlers: crawl,
  };
  const found = attentionOf({
    overview: overview.body,
    prompts,
    sentiment: sentiment?.body,
    crawlers: crawl?.body,
    gaps: Object.fromEntries(gapsToRead.map((kind) => [kind, loadedOr(null, gaps[kind] ?? null)?.body])),
  });
  const sourceOf = ({ phrase: words, leadsTo: { read, params } }: Attention): string | undefined =>
    read === 'gaps'
      ? loadedOr(null, gaps[params.kind as GapKind] ?? null)?.source
      : loaded[readIn(words) ?? '']?.source;
  return found.map((each) => ({
    words: phrase(each.phrase),
    advice: each.advice,
    href: listOf(each, leads),
    source: sourceOf(each),
  }));
}

/** The block or the page that lists what a finding is about. */
const listOf = ({ kind, leadsTo }: Attention, leads: Leads): string =>
  kind === 'silent-engine' && leadsTo.params.engine !== undefined
    ? leads.engine(leadsTo.params.engine)
    : kind === 'metric-down' && leadsTo.params.metric === WHY_ASKED.metric
      ? `#${WHY.id}`
      : `#${attentionBlocks[kind]}`;

// What other blocks show.

/** Pages of the brand that answers cite, below a path that robots.txt closes to a crawler that feeds answers. */
function closedPaths({ crawlers, urls }: ActionReads): Need[] {
  if ('refused' in crawlers || 'refused' in urls) return [];
  const cited = urls.body.urls.filter(({ classification }) => classification === 'owned');
  return crawlers.body.agents.filter(isForAnswers).flatMap((agent) => {
    const path = agent.robots?.blocked_path;
    // A site that is closed as a whole is a finding of the summary.
    if (!path || agent.robots?.verdict === 'blocked') return [];
    const below = cited.filter((page) => isBelow(path, page)).length;
    if (below === 0) return [];
    return [
      {
        words: html`robots.txt closes ${userText(path, 60)} to ${userText(agent.label, 60)}: ${below} cited ${below === 1 ? 'page' : 'pages'} of yours ${below === 1 ? 'lies' : 'lie'} below it`,
        advice: 'Ask whoever runs the site to open the path.',
        href: '#pages',
      },
    ];
  });
}

const isForAnswers = ({ purpose }: CrawlerAgent): boolean =>
  purpose === 'search_index' || purpose === 'user_fetch';

function isBelow(path: string, { url }: CitedUrl): boolean {
  if (!URL.canParse(url)) return false;
  const { pathname, search } = new URL(url);
  return matchesPath(compilePattern(path), pathname + search);
}

function pipe({ crawlers, today }: ActionReads): Need[] {
  if ('refused' in crawlers || crawlers.body.last_event_at === null) return [];
  const last = crawlers.body.last_event_at.slice(0, 10);
  return daysBetween(last, today) >= STALLED_AFTER_DAYS
    ? [
        {
          words: html`No server log has arrived since <time datetime=${last}>${longDay(last)}</time>`,
          advice: 'Ask whoever runs the site to check the log shipping.',
          href: '#crawlers',
        },
      ]
    : [];
}

function wrongFacts({ factCheck, engines }: ActionReads, leads: Leads): Need[] {
  if ('refused' in factCheck) return [];
  const wrong = (factCheck.body.fact_check?.discrepancies ?? []).filter(
    ({ engine, severity }) => severity === 'high' && (engines?.includes(engine) ?? true),
  );
  return wrong.map(({ engine, claim, truth }) => ({
    words: html`An answer of ${engineName(engine)} is wrong: “${userText(claim)}”`,
    advice: html`The truth: “${userText(truth)}”`,
    href: leads.engine(engine),
  }));
}

function staleFacts({ factCheck }: ActionReads): Need[] {
  if ('refused' in factCheck) return [];
  const { body, source } = factCheck;
  const result = body.fact_check;
  if (result === null)
    return [
      {
        words: 'What answers say was never compared with the facts of the brand',
        advice: 'Ask whoever operates this server to run a fact check.',
        href: '#quotes',
      },
    ];
  return result.stale
    ? [
        {
          words: html`The fact check is ${numberField('fact-check.fact_check.age_days', result.age_days)} days old: after ${FACT_CHECK_STALE_DAYS} days answers may have changed`,
          advice: 'Ask whoever operates this server to run it again.',
          href: '#quotes',
          source,
        },
      ]
    : [];
}
