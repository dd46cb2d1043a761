/** The pages of one thing of a brand: a prompt, a competitor, a cited domain, a cited page. */
import type { VNode } from 'preact';
import { errors } from '../../../contract/errors.js';
import type { ReadName } from '../../../contract/registry.js';
import { canonicalUrl } from '../../answers/citations/canonical-url.js';
import { refuse } from '../../base/errors.js';
import { ANSWERS, someAnswers } from './blocks/answers.js';
import { promptLabels } from './blocks/bar.js';
import { effectBlocks, effectMetricOf, markLead, markTitle } from './blocks/effect.js';
import { searches } from './blocks/fanouts.js';
import { absent } from './blocks/gaps.js';
import { pairs } from './blocks/pairs.js';
import { domainSummary, domains, pages, toWin } from './blocks/sources.js';
import { citedPage } from './blocks/url.js';
import { METRICS, sideBySide } from './blocks/versus.js';
import { firstScreen, lineOf } from './brand-page.js';
import { type BrandPage, FRAME_READS, framed, loading, titleBelow } from './frame.js';
import { html } from './html.js';
import { leadsOf } from './leads.js';
import { card, empty, unlessRefused } from './parts/card.js';
import { externalLink, truncated, userText } from './parts/text.js';
import { competitorPath, domainPath, markPath, pagePath, promptPath } from './paths.js';
import { beyondWords, OF_PROMPTS, ofAllPrompts, withFilter } from './slice.js';

const COMMON: readonly ReadName[] = [
  ...FRAME_READS,
  'why',
  'sources',
  'urls',
  'gaps',
  'fanouts',
  'answers',
  'url',
  'effect',
];

export const DETAIL_READS: readonly ReadName[] = [...new Set(COMMON)];

/** @throws 404 for a prompt that the brand does not have, or that is inactive. */
export async function promptPage(given: BrandPage, id: string): Promise<VNode> {
  const { reads, slice } = given;
  const { brand } = reads;
  if (slice.prompt !== undefined) throw refuse(errors.filterNotOnPage('prompt'));
  if (!brand.hasRuns) throw refuse(errors.notFound());
  const { body: listed } = await reads.load('prompts');
  const prompt = listed.prompts.find((each) => each.id === id);
  if (!prompt) throw refuse(errors.notFound());
  const path = promptPath(brand.id, id);
  const page = loading(given, path, withFilter(slice, 'prompt', [id]));
  const [screen, changed, cited, citedPages, asked, answers] = await Promise.all([
    firstScreen(page),
    pairs(page),
    domains(page, 10),
    pages(page, undefined, 10),
    searches(page, id),
    someAnswers(page, ANSWERS, {}),
  ]);
  return framed(
    { ...page, slice },
    { title: titleBelow(page, prompt.text), path, tab: 'prompts' },
    html`<div class="title"><h1>${userText(prompt.text)}</h1><p>${promptLabels(page, leadsOf(page.link, brand.id, slice))(prompt)}</p></div>
    ${screen}
    <div class="cards two">${cited}${citedPages}</div>
    <div class="cards">${changed}${asked}${answers}</div>`,
  );
}

/** @throws 404 for a competitor that the brand does not have. */
export async function competitorPage(given: BrandPage, id: string): Promise<VNode> {
  const { reads } = given;
  const { brand } = reads;
  if (!brand.hasRuns) throw refuse(errors.notFound());
  const { body: tracked } = await reads.load('competitors');
  const rival = tracked.competitors.find((row) => row.id === id && !row.is_brand);
  if (!rival) throw refuse(errors.notFound());
  const path = competitorPath(brand.id, id);
  const page = loading(given, path);
  const { ofSlice, leads } = page;
  const names = [truncated(rival.name, 40), truncated(brand.name, 40)] as const;
  const [rows, line, sources, prompts, without] = await Promise.all([
    ofSlice.loadIfPossible('competitors'),
    lineOf(page, page.view.metric ?? 'visibility', id),
    toWin(page, { rival: id }),
    absent(page, id),
    someAnswers(
      page,
      { ...ANSWERS, title: `Answers that name ${names[0]} and not ${names[1]}` },
      { names: id, without: brand.id },
    ),
  ]);
  return framed(
    page,
    { title: `${names[1]} and ${names[0]}`, path, tab: 'competitors' },
    html`<div class="title"><h1>${userText(brand.name, 60)} and ${userText(rival.name, 60)}</h1>
      ${rival.domain === '' ? null : html`<p><a href=${leads.domain(rival.domain)}>${userText(rival.domain, 60)}</a></p>`}</div>
    <div class="cards">
      ${unlessRefused(rows, METRICS, (read) => sideBySide(read, id))}
      ${line} ${prompts} ${sources} ${without}
    </div>`,
  );
}

/** Whether a text has the form in which citations state their domain. */
const isDomain = (text: string): boolean => text !== '' && canonicalUrl(`https://${text}/`).domain === text;

/** @throws 404 for a text that is no domain. */
export async function domainPage(given: BrandPage, domain: string): Promise<VNode> {
  const { brand } = given.reads;
  if (!brand.hasRuns || !isDomain(domain)) throw refuse(errors.notFound());
  const path = domainPath(brand.id, domain);
  const page = loading(given, path);
  const [summary, named, own, answers] = await Promise.all([
    domainSummary(page, domain),
    toWin(page, { domain }),
    pages(page, domain),
    someAnswers(page, { ...ANSWERS, title: 'Answers that cite it' }, { cites: domain }),
  ]);
  return framed(
    page,
    { title: titleBelow(page, domain), path, tab: 'sources' },
    html`<div class="title"><h1>${userText(domain, 80)}</h1>${summary}</div>
    <div class="cards">${own}${named}${answers}</div>`,
  );
}

/** @throws 404 for a text that is no address of a page. */
export async function urlPage(given: BrandPage): Promise<VNode> {
  const { brand } = given.reads;
  const { url = '' } = given.view;
  const { url: canonical, domain } = canonicalUrl(url);
  if (!brand.hasRuns || domain === '' || !URL.canParse(canonical)) throw refuse(errors.notFound());
  const path = pagePath(brand.id);
  const page = loading(given, path);
  const [cited, answers] = await Promise.all([
    citedPage(page, canonical),
    someAnswers(page, { ...ANSWERS, title: 'Answers that cite it' }, { cites: canonical }),
  ]);
  return framed(
    page,
    { title: titleBelow(page, canonical), path, tab: 'sources' },
    html`<div class="title"><h1>${userText(canonical, 160)}</h1>
      <p class="domain"><a href=${page.leads.domain(domain)}>${userText(domain, 60)}</a> · ${externalLink(canonical, 'Visit', 20)}</p></div>
    <div class="cards">${cited}${answers}</div>`,
  );
}

/** @throws 404 for a mark that the brand does not have, and for the viewer of a link that has only some prompts. */
export async function markPage(given: BrandPage, id: string): Promise<VNode> {
  const { reads, slice } = given;
  const path = markPath(reads.brand.id, id);
  const page = loading(given, path, ofAllPrompts(slice));
  if (!reads.brand.hasRuns || markLead(page) === null) throw refuse(errors.notFound());
  const metric = effectMetricOf(page);
  const read = await page.ofSlice.loadIfPossible('effect', { mark: id, ...(metric && { metric }) });
  const beyond = beyondWords(OF_PROMPTS.filter((name) => slice[name] !== undefined));
  const mark = 'refused' in read ? null : read.body.mark;
  const blocks =
    'refused' in read || mark === null
      ? card({ id: 'effect', title: 'Did it help?' }, empty('refused' in read ? read.refused : ''))
      : await effectBlocks(page, mark, { ...read, beyond });
  return framed(
    { ...page, slice },
    { title: titleBelow(page, mark?.text ?? 'Did it help?'), path, tab: 'moves' },
    html`${mark && markTitle(mark)}<div class="cards">${blocks}</div>`,
  );
}
