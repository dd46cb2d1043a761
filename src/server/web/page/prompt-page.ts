/** The page of a prompt: the brand's metrics on it, and the newest answers to it. */
import type { VNode } from 'preact';
import { errors } from '../../../contract/errors.js';
import type { ReadName } from '../../../contract/registry.js';
import { refuse } from '../../base/errors.js';
import { ANSWERS, answerCards } from './blocks/answers.js';
import { COMPETITORS, competitors } from './blocks/competitors.js';
import { chips, controls, promptLabels } from './blocks/controls.js';
import { searches } from './blocks/fanouts.js';
import { SCORECARD, scorecard } from './blocks/overview.js';
import { CITED, cited } from './blocks/sources.js';
import { type BrandPage, frameBelow } from './brand-page.js';
import { choicesOf } from './choices.js';
import { html } from './html.js';
import { leadsOf } from './leads.js';
import { loadedOr, unlessRefused } from './parts/card.js';
import { layout } from './parts/layout.js';
import { truncated, userText } from './parts/text.js';
import { promptPath } from './paths.js';
import { slicedReads, withFilter } from './slice.js';

export const PROMPT_READS: readonly ReadName[] = [
  'prompts',
  'overview',
  'competitors',
  'sources',
  'urls',
  'fanouts',
  'answers',
];

const MAX_ANSWERS = 20;

/** @throws 404 for a prompt that the brand does not have, or that is inactive. */
export async function promptPage(page: BrandPage, id: string): Promise<VNode> {
  const { reads, slice, link } = page;
  const { brand } = reads;
  if (slice.prompt !== undefined) throw refuse(errors.filterNotOnPage('prompt'));
  if (!brand.hasRuns) throw refuse(errors.notFound());
  const { body: listed } = await reads.load('prompts');
  const prompt = listed.prompts.find((each) => each.id === id);
  if (!prompt) throw refuse(errors.notFound());
  const { loadIfPossible: ofPrompt } = slicedReads(reads, withFilter(slice, 'prompt', [id]));
  const path = promptPath(brand.id, id);
  const [choices, overview, rivals, sources, urls, fanouts, answers] = await Promise.all([
    choicesOf(reads, slice),
    ofPrompt('overview'),
    ofPrompt('competitors'),
    ofPrompt('sources'),
    ofPrompt('urls'),
    // The read has no filter of engines, regions and surfaces: under one its counts would be of others too.
    slice.engine || slice.region || slice.surface
      ? null
      : slicedReads(reads, slice).loadIfPossible('fanouts'),
    ofPrompt('answers', { limit: String(MAX_ANSWERS) }),
  ]);
  const names = 'refused' in rivals ? [{ name: brand.name, is_brand: true }] : rivals.body.competitors;
  const leads = leadsOf(link, brand.id, slice);
  return layout(
    frameBelow(page, leads, `${truncated(prompt.text, 60)} · ${truncated(brand.name, 40)}`),
    html`
    <div class="title">
      <h1>${userText(prompt.text)}</h1>
      <p class="domain">${promptLabels(page, brand.id)(prompt)}</p>
      ${controls(page, path, { ...choices, prompt: [] })}
    </div>
    ${chips(page, path, choices)}
    <div class="cards">
      ${unlessRefused(overview, SCORECARD, (read) => scorecard(read, null))}
      ${unlessRefused(rivals, COMPETITORS, (read) => competitors(read, leads))}
      ${unlessRefused(sources, CITED, (domains) => unlessRefused(urls, CITED, (pages) => cited(pages, domains, leads)))}
      ${loadedOr(null, fanouts) && searches(loadedOr(null, fanouts)!, id, leads)}
      ${unlessRefused(answers, ANSWERS, (read) => answerCards(read, names, leads))}
    </div>`,
  );
}
