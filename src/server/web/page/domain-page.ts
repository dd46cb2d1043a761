/** The page of a cited domain: from its pages to the answers that cite it. */
import type { VNode } from 'preact';
import { errors } from '../../../contract/errors.js';
import type { Answer } from '../../../contract/reads/answers.js';
import type { ReadName } from '../../../contract/registry.js';
import { canonicalUrl } from '../../answers/citations/canonical-url.js';
import { refuse } from '../../base/errors.js';
import { chips, controls } from './blocks/controls.js';
import { CITING, citingAnswers, domainSummary, NAMED, namedThere, pagesOfDomain } from './blocks/domain.js';
import { PAGES } from './blocks/sources.js';
import { type BrandPage, frameBelow } from './brand-page.js';
import { choicesOf } from './choices.js';
import { html } from './html.js';
import { leadsOf } from './leads.js';
import { newestAnswers } from './newest-answers.js';
import { unlessRefused } from './parts/card.js';
import { layout } from './parts/layout.js';
import { externalLink, truncated, userText } from './parts/text.js';
import { domainPath } from './paths.js';
import { slicedReads } from './slice.js';

export const DOMAIN_READS: readonly ReadName[] = ['sources', 'urls', 'competitors', 'prompts', 'answers'];

/** Citing answers from which shares can be told; older answers are not read then. */
const ENOUGH = 50;

/** Whether a text has the form in which citations state their domain. */
const isDomain = (text: string): boolean => text !== '' && canonicalUrl(`https://${text}/`).domain === text;

/** @throws 404 for a text that is no domain. */
export async function domainPage(page: BrandPage, domain: string): Promise<VNode> {
  const { reads, slice, link } = page;
  const { brand } = reads;
  if (!brand.hasRuns || !isDomain(domain)) throw refuse(errors.notFound());
  const citing = (answers: readonly Answer[]) =>
    answers.filter(({ citations }) => citations.some((each) => each.domain === domain));
  const path = domainPath(brand.id, domain);
  const ofSlice = slicedReads(reads, slice);
  const [choices, sources, urls, { body: rivals }, { body: active }, read] = await Promise.all([
    choicesOf(reads, slice),
    ofSlice.loadIfPossible('sources'),
    ofSlice.loadIfPossible('urls'),
    reads.load('competitors'),
    reads.load('prompts'),
    newestAnswers(reads, slice, (answers) => citing(answers).length >= ENOUGH),
  ]);
  const found = 'refused' in read ? [] : citing(read.answers);
  const leads = leadsOf(link, brand.id, slice);
  const promptOf = new Map(active.prompts.map(({ id, text }) => [id, text]));
  const entities = rivals.competitors;
  return layout(
    frameBelow(page, leads, `${truncated(domain, 60)} · ${truncated(brand.name, 40)}`),
    html`
    <div class="title">
      <h1>${userText(domain, 80)}</h1>
      ${'refused' in sources ? null : domainSummary(sources, domain)}
      <p class="domain">${externalLink(`https://${domain}/`, 'Visit', 20)}</p>
      ${controls(page, path, choices)}
    </div>
    ${chips(page, path, choices)}
    <div class="cards">
      ${unlessRefused(urls, PAGES, (pages) => pagesOfDomain(pages, domain, found, read))}
      ${unlessRefused(read, NAMED, (newest) => namedThere(found, newest, entities, leads))}
      ${unlessRefused(read, CITING, (newest) => citingAnswers(found, newest, entities, promptOf, leads))}
    </div>`,
  );
}
