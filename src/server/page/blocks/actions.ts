/** Things to do, each from what other blocks show. */
import { FACT_CHECK_STALE_DAYS } from '../../../contract/limits.js';
import type { CrawlerAgent } from '../../../contract/reads/crawlers.js';
import type { CitedUrl } from '../../../contract/reads/urls.js';
import { daysBetween } from '../../days.js';
import { compilePattern, matchesPath } from '../../robots/parse.js';
import { html, type Markup } from '../html.js';
import { card, empty } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { engineName, longDay, userText } from '../parts/text.js';
import type { Loaded, Withheld } from '../reads.js';

export interface ActionReads {
  readonly today: string;
  readonly archived: boolean;
  /** The newest collected day; null if there is none. */
  readonly newest: string | null;
  readonly crawlers: Loaded<'crawlers'> | Withheld;
  readonly urls: Loaded<'urls'> | Withheld;
  readonly factCheck: Loaded<'fact-check'> | Withheld;
  /** The engine filter; undefined if answers of every engine were checked. */
  readonly engines: readonly string[] | undefined;
}

/** Days without an answer after which collection counts as stalled: the day that runs is not complete. */
const STALLED_AFTER_DAYS = 2;

export function thingsToDo(reads: ActionReads): Markup[] {
  return [...collection(reads), ...closedPaths(reads), ...pipe(reads), ...facts(reads)];
}

/** @param beyond What they are not filtered by, in words. */
export const actions = (things: readonly Markup[], beyond: string | undefined): Markup =>
  card(
    { id: 'actions', title: 'Things to do', about: beyond, wide: true },
    things.length === 0
      ? empty('Nothing: collection runs, no cited page is closed to crawlers, and the facts were checked.')
      : html`<ol class="actions">${things.map((thing) => html`<li>${thing}</li>`)}</ol>`,
  );

/** Whether a brand that is not archived has had no answer for days. */
export const isStalled = ({
  today,
  archived,
  newest,
}: Pick<ActionReads, 'today' | 'archived' | 'newest'>): boolean =>
  !archived && newest !== null && daysBetween(newest, today) >= STALLED_AFTER_DAYS;

function collection(reads: ActionReads): Markup[] {
  return isStalled(reads)
    ? [
        html`<strong>Collection has stalled.</strong> The newest answer is from <time datetime=${reads.newest}>${longDay(reads.newest!)}</time>.`,
      ]
    : [];
}

/** Pages of the brand that answers cite, below a path that robots.txt closes to a crawler that feeds answers. */
function closedPaths({ crawlers, urls }: ActionReads): Markup[] {
  if ('refused' in crawlers || 'refused' in urls) return [];
  const cited = urls.body.urls.filter(({ classification }) => classification === 'owned');
  return crawlers.body.agents.filter(isForAnswers).flatMap((agent) => {
    const path = agent.robots?.blocked_path;
    if (!path) return [];
    const below = cited.filter((page) => isBelow(path, page));
    if (below.length === 0 && path !== '/') return [];
    const cost =
      below.length === 0
        ? ''
        : ` ${below.length} of the cited pages of the brand ${below.length === 1 ? 'lies' : 'lie'} below it.`;
    return [
      html`<strong>robots.txt closes ${userText(path, 60)} to ${userText(agent.label, 60)}.</strong>${cost}`,
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

function pipe({ crawlers, today }: ActionReads): Markup[] {
  if ('refused' in crawlers || crawlers.body.last_event_at === null) return [];
  const last = crawlers.body.last_event_at.slice(0, 10);
  return daysBetween(last, today) >= STALLED_AFTER_DAYS
    ? [
        html`<strong>No server log has arrived since <time datetime=${last}>${longDay(last)}</time>.</strong> Check the log shipping.`,
      ]
    : [];
}

function facts({ factCheck, engines }: ActionReads): Markup[] {
  if ('refused' in factCheck) return [];
  const { body, source } = factCheck;
  const result = body.fact_check;
  if (result === null)
    return [
      html`<strong>No fact check ever ran.</strong> One compares what answers say with the facts of the brand; whoever operates this server can start it.`,
    ];
  const wrong = result.discrepancies.filter(
    ({ engine, severity }) => severity === 'high' && (engines?.includes(engine) ?? true),
  );
  return [
    ...(result.stale
      ? [
          html`<span data-source=${source}><strong>The fact check is stale.</strong> It is ${numberField('fact-check.fact_check.age_days', result.age_days)} days old; after ${FACT_CHECK_STALE_DAYS} days answers may have changed.</span>`,
        ]
      : []),
    ...wrong.map(
      ({ engine, claim, truth }) =>
        html`<strong>An answer of ${engineName(engine)} is wrong:</strong> “${userText(claim)}” The truth: “${userText(truth)}”`,
    ),
  ];
}
