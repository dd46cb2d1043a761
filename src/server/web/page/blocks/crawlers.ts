/** AI crawlers on the site, and whether its robots.txt allows them. */
import { label, robotsWords, title, valueLabel } from '../../../../contract/glossary.js';
import type { CrawlerAgent, OutcomeName } from '../../../../contract/reads/crawlers.js';
import { html, type Markup } from '../html.js';
import { type Card, card, noteOf } from '../parts/card.js';
import { bar, notMeasured, numberField, rowName } from '../parts/numbers.js';
import { moment, noun, span, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

const MAX_ROWS = 12;

export const CRAWLERS: Card = { id: 'crawlers', title: 'AI crawlers' };

export function crawlers(read: Loaded<'crawlers'>): Markup {
  const { agents, totals, window, last_event_at } = read.body;
  const about = html`${span(window.start, window.end)}${last_event_at === null ? '' : html`, newest log line <time datetime=${last_event_at}>${moment(last_event_at)}</time>`}`;
  const isKnown = totals !== null || agents.some(({ robots }) => robots !== null);
  return card(
    { ...CRAWLERS, about, read },
    html`
    ${totals === null ? null : html`<p class="lead">${numberField('crawlers.totals.hits', totals.hits)} ${noun(totals.hits, 'request')} for ${numberField('crawlers.totals.pages', totals.pages)} ${noun(totals.pages, 'page')}.</p>`}
    ${isKnown ? table(agents) : null}
    ${noteOf(read.body)}`,
  );
}

/**
 * Crawlers that came, and those that robots.txt keeps out; without logs, which leave requests unknown, the first of all. The
 * others are counted: a row of zeros for each says less.
 */
function table(agents: readonly CrawlerAgent[]): Markup {
  const numbered = agents.map((agent, at) => ({ agent, at }));
  const isTold = ({ hits, robots }: CrawlerAgent) => hits !== 0 || robots?.verdict === 'blocked';
  const told = numbered.filter(({ agent }) => isTold(agent));
  const quiet = agents.length - told.length;
  const left = Math.max(0, told.length - MAX_ROWS);
  const others = told.length === 0 ? noun(quiet, 'crawler') : noun(quiet, 'other');
  const foot = [
    ...(left === 0 ? [] : [`${left} more ${left === 1 ? 'is' : 'are'} in the API`]),
    ...(quiet === 0 ? [] : [`${quiet} ${others}: no visits`]),
  ].join('; ');
  return html`${told.length === 0 ? null : rows(told.slice(0, MAX_ROWS))}
    ${foot === '' ? null : html`<p class="foot">${foot}.</p>`}`;
}

type Numbered = { readonly agent: CrawlerAgent; readonly at: number };

function rows(shown: readonly Numbered[]): Markup {
  const most = Math.max(1, ...shown.map(({ agent }) => agent.hits ?? 0));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="AI crawlers"><table class="list">
    <thead><tr><th scope="col">${title('crawler')}</th><th scope="col" class="minor">${title('purpose')}</th><th scope="col" class="number">${title('requests')}</th><th scope="col" class="number minor">${title('requestedPages')}</th><th scope="col">${title('outcomes')}</th><th scope="col">${title('verified')}</th><th scope="col">${label('robots')}</th></tr></thead>
    <tbody>${shown.map(({ agent, at }) => row(agent, at, most))}</tbody>
  </table></div>`;
}

const row = (agent: CrawlerAgent, at: number, most: number): Markup => {
  const field = `crawlers.${rowName(agent.agent, at)}`;
  return html`<tr>
    <th scope="row">${userText(agent.label, 60)}${bar(agent.hits === null ? null : agent.hits / most)}</th>
    <td class="minor">${userText(valueLabel('purpose', agent.purpose), 24)}</td>
    <td class="number">${numberField(`${field}.hits`, agent.hits)}</td>
    <td class="number minor">${numberField(`${field}.pages`, agent.pages)}</td>
    <td class="words">${outcomeOf(agent, field)}</td>
    <td class="words">${verifiedOf(agent, field)}</td>
    <td class="words">${verdictOf(agent.robots)}${(agent.robots_signals ?? []).slice(0, MAX_SIGNALS).map(({ line }) => html`<br /><small>${userText(line, 120)}</small>`)}</td>
  </tr>`;
};

/** The most lines about the use of content in a row. */
const MAX_SIGNALS = 3;
/** The largest outcomes besides pages in a row. */
const MAX_OUTCOMES = 2;

const notServed = {
  not_found: 'not found',
  refused: 'refused with 403',
  payment_required: 'asked to pay',
  throttled: 'too many requests',
  failed: 'failed',
  other: 'other',
} as const satisfies Partial<Record<OutcomeName, string>>;

/** `96 %, 12 refused with 403`. */
function outcomeOf({ hits, outcomes }: CrawlerAgent, field: string): Markup {
  if (outcomes === null) return notMeasured();
  if (!hits) return null;
  const others = (Object.keys(notServed) as (keyof typeof notServed)[])
    .filter((name) => outcomes[name] > 0)
    .sort((a, b) => outcomes[b] - outcomes[a])
    .slice(0, MAX_OUTCOMES);
  const isRefused =
    2 * (outcomes.refused + outcomes.payment_required + outcomes.throttled + outcomes.failed) >= hits;
  const rest = others.map(
    (name) => html`, ${numberField(`${field}.outcomes.${name}`, outcomes[name])} ${notServed[name]}`,
  );
  return html`${share(`${field}.outcomes.served`, outcomes.served, hits)}${isRefused ? html`<span class="bad">${rest}</span>` : rest}`;
}

/** The share of verified requests, and how many are known to be of others. */
function verifiedOf(
  { hits, verified_hits, unverified_hits, unknown_hits }: CrawlerAgent,
  field: string,
): Markup {
  if (verified_hits === null) return notMeasured();
  if (!hits) return null;
  if (unknown_hits === hits)
    return html`<abbr title="the log has no address of the client, or the operator publishes none">not known</abbr>`;
  const others = unverified_hits
    ? html`, ${numberField(`${field}.unverified_hits`, unverified_hits)} of others`
    : null;
  return html`${share(`${field}.verified_hits`, verified_hits, hits)}${others}`;
}

/** A count, shown as its share. */
const share = (field: string, count: number, of: number): Markup =>
  numberField(field, count, (value) => `${Math.round((100 * value) / of)} %`);

function verdictOf(robots: CrawlerAgent['robots']): Markup {
  if (robots === null) return html`<abbr title="not measured: robots.txt could not be fetched">—</abbr>`;
  const words = userText(robotsWords(robots), 60);
  return robots.verdict === 'blocked' ? html`<span class="bad">${words}</span>` : words;
}
