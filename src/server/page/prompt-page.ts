/** The page of a prompt: the brand's metrics on it, and the newest answers to it. */
import type { VNode } from 'preact';
import { errors } from '../../contract/errors.js';
import { title, valueLabel } from '../../contract/glossary.js';
import { CAPS } from '../../contract/limits.js';
import type { ReadName } from '../../contract/registry.js';
import { refuse } from '../errors.js';
import { ANSWERS, answerCards } from './blocks/answers.js';
import { COMPETITORS, competitors } from './blocks/competitors.js';
import { controls } from './blocks/controls.js';
import { searches } from './blocks/fanouts.js';
import { SCORECARD, scorecard } from './blocks/overview.js';
import { html, type Markup } from './html.js';
import { type Card, card, empty, unlessRefused } from './parts/card.js';
import { type Link, layout } from './parts/layout.js';
import { datum, rowName } from './parts/numbers.js';
import { aboutOf, outside, said, shown } from './parts/text.js';
import { brandPath, promptPath, withQuery } from './paths.js';
import type { Loaded, PageReads } from './reads.js';
import { paramsFor, queryOf, type Slice } from './slice.js';

/** The reads of the page. */
export const PROMPT_READS: readonly ReadName[] = [
  'prompts',
  'overview',
  'competitors',
  'sources',
  'urls',
  'fanouts',
  'answers',
];

interface PromptPage {
  readonly reads: PageReads;
  /** Its id. */
  readonly prompt: string;
  readonly slice: Slice;
  readonly link: Link;
}

/** Newest answers that are shown. */
const MOST_ANSWERS = 20;
/** Rows of the card of cited pages and domains. */
const MOST_OWN_PAGES = 10;
const MOST_DOMAINS = 5;

const CITED: Card = { id: 'cited', title: 'Who is cited' };

/** @throws 404 for a prompt that the brand does not have, or that is inactive. */
export async function promptPage({ reads, prompt: id, slice, link }: PromptPage): Promise<VNode> {
  const { brand, access } = reads;
  if (!brand.hasRuns) throw refuse(errors.notFound());
  const { body: listed } = await reads.load('prompts');
  const prompt = listed.prompts.find((each) => each.id === id);
  if (!prompt) throw refuse(errors.notFound());
  const ofPrompt = <N extends ReadName>(name: N, more = {}) =>
    reads.loadIfPossible(name, { ...paramsFor(name, slice), prompt: id, ...more });
  const [overview, rivals, sources, urls, fanouts, answers] = await Promise.all([
    ofPrompt('overview'),
    ofPrompt('competitors'),
    ofPrompt('sources'),
    ofPrompt('urls'),
    // The read has no engine filter, so its counts are of all engines.
    slice.engine ? null : reads.load('fanouts', paramsFor('fanouts', slice)),
    ofPrompt('answers', { limit: String(MOST_ANSWERS) }),
  ]);
  const names = 'refused' in rivals ? [{ name: brand.name, is_brand: true }] : rivals.body.competitors;
  const home = withQuery(brandPath(brand.id), queryOf(slice));
  return layout(
    {
      link,
      title: `${shown(prompt.text, 60)} · ${shown(brand.name, 40)}`,
      access,
      nav: html`<a href=${link(home)}>${said(brand.name, 60)}</a>`,
    },
    html`
    <div class="title">
      <h1>${said(prompt.text)}</h1>
      <p class="domain">${[prompt.topic_name, ...prompt.tags]
        .filter((tag) => tag !== null)
        .slice(0, 8)
        .map((tag) => html`<span class="label">${said(tag, 40)}</span> `)}</p>
      ${controls(link(promptPath(brand.id, id)), slice)}
    </div>
    <div class="cards">
      ${unlessRefused(overview, SCORECARD, (read) => scorecard(read, null))}
      ${unlessRefused(rivals, COMPETITORS, competitors)}
      ${unlessRefused(sources, CITED, (domains) => unlessRefused(urls, CITED, (pages) => cited(pages, domains)))}
      ${fanouts && searches(fanouts, id)}
      ${unlessRefused(answers, ANSWERS, (read) => answerCards(read, names))}
    </div>`,
  );
}

/** Who the answers of the slice cite. */
function cited(urls: Loaded<'urls'>, sources: Loaded<'sources'>): Markup {
  const own = urls.body.urls
    .map((page, at) => ({ ...page, at }))
    .filter(({ classification, citations }) => classification === 'owned' && citations > 0);
  const others = sources.body.sources
    .map((domain, at) => ({ ...domain, at }))
    .filter(({ classification }) => classification !== 'owned');
  // The read has the most cited pages only: there may be further pages of the brand.
  const none = urls.body.urls.length < CAPS.urls ? 'None.' : `None of the ${CAPS.urls} most cited pages.`;
  return card(
    { ...CITED, about: aboutOf(sources.body) },
    html`
    <h3>Pages of the brand</h3>
    ${own.length === 0 ? empty(none) : html`<ul class="plain" data-source=${urls.source}>${own.slice(0, MOST_OWN_PAGES).map(({ url, citations, at }) => html`<li>${outside(url, url, 90)} <small>${datum(`urls.${rowName(url, at)}.citations`, citations)}</small></li>`)}</ul>`}
    <h3>${title('mostCitedElsewhere')}</h3>
    ${others.length === 0 ? empty('None.') : html`<ul class="plain" data-source=${sources.source}>${others.slice(0, MOST_DOMAINS).map(({ domain, classification, citations, at }) => html`<li>${said(domain, 60)} <span class="label">${said(valueLabel('kind', classification), 24)}</span> <small>${datum(`sources.${rowName(domain, at)}.citations`, citations)}</small></li>`)}</ul>`}`,
  );
}
