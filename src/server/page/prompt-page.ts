/** The page of a prompt: the brand's metrics on it, and the newest answers to it. */
import type { VNode } from 'preact';
import { errors } from '../../contract/errors.js';
import type { ReadName } from '../../contract/registry.js';
import { refuse } from '../errors.js';
import { ANSWERS, answerCards } from './blocks/answers.js';
import { COMPETITORS, competitors } from './blocks/competitors.js';
import { controls } from './blocks/controls.js';
import { SCORECARD, scorecard } from './blocks/scorecard.js';
import { searches } from './blocks/searches.js';
import { html, type Markup } from './html.js';
import { card, unlessRefused } from './parts/card.js';
import { datum, rowName } from './parts/datum.js';
import { type Link, layout } from './parts/layout.js';
import { outside, said, shown } from './parts/text.js';
import { aboutOf } from './parts/window.js';
import { brandPath, promptPath, withQuery } from './paths.js';
import type { Loaded, PageReads } from './reads.js';
import { paramsFor, queryOf, type Slice } from './slice.js';

/** The reads of the page. */
export const PROMPT_READS: readonly ReadName[] = [
  'prompts',
  'overview',
  'competitors',
  'content-coverage',
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

/** @throws 404 for a prompt that the brand does not have, or that is inactive. */
export async function promptPage({ reads, prompt: id, slice, link }: PromptPage): Promise<VNode> {
  const { brand, access } = reads;
  if (!brand.hasRuns) throw refuse(errors.notFound());
  const { body: listed } = await reads.load('prompts');
  const prompt = listed.prompts.find((each) => each.id === id);
  if (!prompt) throw refuse(errors.notFound());
  const ofPrompt = <N extends ReadName>(name: N, more = {}) =>
    reads.loadIfPossible(name, { ...paramsFor(name, slice), prompt: id, ...more });
  const [overview, rivals, coverage, fanouts, answers] = await Promise.all([
    ofPrompt('overview'),
    ofPrompt('competitors'),
    reads.load('content-coverage', paramsFor('content-coverage', slice)),
    reads.load('fanouts', paramsFor('fanouts', slice)),
    ofPrompt('answers', { limit: String(MOST_ANSWERS) }),
  ]);
  const names = 'refused' in rivals ? [{ name: brand.name, is_brand: true }] : rivals.body.competitors;
  const home = withQuery(brandPath(brand.id), queryOf(slice));
  return layout(
    {
      link,
      title: `${shown(prompt.text, 60)} · ${shown(brand.name, 40)}`,
      keyKind: access.kind,
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
      ${cited(coverage, id)} ${searches(fanouts, id)}
      ${unlessRefused(answers, ANSWERS, (read) => answerCards(read, names))}
    </div>`,
  );
}

function cited({ body, source }: Loaded<'content-coverage'>, id: string): Markup {
  const at = body.prompts.findIndex(({ prompt_id }) => prompt_id === id);
  const covered = body.prompts[at];
  if (!covered) return null;
  const field = `content-coverage.${rowName(id, at)}`;
  return card(
    { id: 'cited', title: 'Who is cited', about: aboutOf({ ...body, slice: null }), source },
    html`
    <h3>Pages of the brand</h3>
    ${covered.own_pages.length === 0 ? html`<p class="empty">None.</p>` : html`<ul class="plain">${covered.own_pages.slice(0, 10).map(({ url, citations }, place) => html`<li>${outside(url, url, 90)} <small>${datum(`${field}.own_pages.${rowName(url, place)}.citations`, citations)}</small></li>`)}</ul>`}
    <h3>Most cited elsewhere</h3>
    ${covered.winners.length === 0 ? html`<p class="empty">Nobody.</p>` : html`<ul class="plain">${covered.winners.map(({ domain, classification, citations }, place) => html`<li>${said(domain, 60)} <span class="label">${said(classification, 24)}</span> <small>${datum(`${field}.winners.${rowName(domain, place)}.citations`, citations)}</small></li>`)}</ul>`}`,
  );
}
