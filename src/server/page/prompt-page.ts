/** The page of a prompt: how the brand stands on it, and the newest answers to it. */
import type { VNode } from 'preact';
import { errors } from '../../contract/errors.js';
import { WINDOW_DAYS } from '../../contract/limits.js';
import type { ReadName } from '../../contract/registry.js';
import { refuse } from '../errors.js';
import { answerCards, newestAnswers } from './blocks/answers.js';
import { searches } from './blocks/searches.js';
import { html, type Markup } from './html.js';
import { card } from './parts/card.js';
import { datum, decimal, percent, rowName } from './parts/datum.js';
import { type Link, layout } from './parts/layout.js';
import { outside, said, shown } from './parts/text.js';
import { brandPath } from './paths.js';
import type { Loaded, PageReads } from './reads.js';

/** The reads of the page. */
export const PROMPT_READS: readonly ReadName[] = [
  'prompts',
  'content-coverage',
  'answers',
  'competitors',
  'fanouts',
];

interface PromptPage {
  readonly reads: PageReads;
  /** Its id. */
  readonly prompt: string;
  readonly link: Link;
}

/** @throws 404 for a prompt that the brand does not have, or that is inactive. */
export async function promptPage({ reads, prompt: id, link }: PromptPage): Promise<VNode> {
  const { brand, access } = reads;
  if (!brand.hasRuns) throw refuse(errors.notFound());
  const prompts = await reads.load('prompts');
  const at = prompts.body.prompts.findIndex((each) => each.id === id);
  const prompt = prompts.body.prompts[at];
  if (!prompt) throw refuse(errors.notFound());
  const [coverage, rivals, fanouts, answers] = await Promise.all([
    reads.load('content-coverage'),
    reads.load('competitors'),
    reads.load('fanouts'),
    newestAnswers(reads, id),
  ]);
  const nav = html`<a href=${link(brandPath(brand.id))}>${said(brand.name, 60)}</a>`;
  return layout(
    { link, title: `${shown(prompt.text, 60)} · ${shown(brand.name, 40)}`, keyKind: access.kind, nav },
    html`
    <div class="title">
      <h1>${said(prompt.text)}</h1>
      <p class="domain">${[prompt.topic_name, ...prompt.tags]
        .filter((tag) => tag !== null)
        .slice(0, 8)
        .map((tag) => html`<span class="label">${said(tag, 40)}</span> `)}</p>
    </div>
    <div class="cards">
      ${standing(prompts, at)} ${cited(coverage, id)} ${searches(fanouts, id)}
      ${answerCards(answers, rivals.body.competitors)}
    </div>`,
  );
}

function standing({ body, source }: Loaded<'prompts'>, at: number): Markup {
  const prompt = body.prompts[at]!;
  const field = `prompts.${rowName(prompt.id, at)}`;
  const tile = (label: string, value: Markup) =>
    html`<div class="tile"><dt>${label}</dt><dd><strong>${value}</strong></dd></div>`;
  return card(
    { id: 'standing', title: 'How the brand stands', about: `Last ${WINDOW_DAYS} days`, source, wide: true },
    html`<dl class="tiles">
      ${tile('Presence', datum(`${field}.presence_rate`, prompt.presence_rate, percent))}
      ${tile('Visibility', datum(`${field}.visibility`, prompt.visibility))}
      ${tile('Average position', datum(`${field}.avg_position`, prompt.avg_position, decimal))}
      ${tile('Answers', datum(`${field}.run_count`, prompt.run_count))}
    </dl>
    ${prompt.run_count === 0 ? html`<p class="note">No engine was asked this prompt in the window.</p>` : null}`,
  );
}

function cited({ body, source }: Loaded<'content-coverage'>, id: string): Markup {
  const at = body.prompts.findIndex(({ prompt_id }) => prompt_id === id);
  const covered = body.prompts[at];
  if (!covered) return null;
  const field = `content-coverage.${rowName(id, at)}`;
  return card(
    { id: 'cited', title: 'Who is cited', about: `Last ${body.window_days} days`, source },
    html`
    <h3>Pages of the brand</h3>
    ${covered.own_pages.length === 0 ? html`<p class="empty">None.</p>` : html`<ul class="plain">${covered.own_pages.slice(0, 10).map(({ url, citations }, place) => html`<li>${outside(url, url, 90)} <small>${datum(`${field}.own_pages.${rowName(url, place)}.citations`, citations)}</small></li>`)}</ul>`}
    <h3>Most cited elsewhere</h3>
    ${covered.winners.length === 0 ? html`<p class="empty">Nobody.</p>` : html`<ul class="plain">${covered.winners.map(({ domain, classification, citations }, place) => html`<li>${said(domain, 60)} <span class="label">${said(classification, 24)}</span> <small>${datum(`${field}.winners.${rowName(domain, place)}.citations`, citations)}</small></li>`)}</ul>`}`,
  );
}
