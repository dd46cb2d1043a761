/** The pages of a brand behind tabs: a list each, with the filters of the page. */
import type { VNode } from 'preact';
import { errors } from '../../../contract/errors.js';
import type { ReadName } from '../../../contract/registry.js';
import { refuse } from '../../base/errors.js';
import { ads } from './blocks/ads.js';
import { answersOf } from './blocks/answers.js';
import { rivals } from './blocks/competitors.js';
import { CRAWLERS, crawlers } from './blocks/crawlers.js';
import { marks } from './blocks/effect.js';
import { facts } from './blocks/facts.js';
import { searches } from './blocks/fanouts.js';
import { absent, crawlGaps } from './blocks/gaps.js';
import { moves } from './blocks/moves.js';
import { names } from './blocks/names.js';
import { doNext } from './blocks/needs.js';
import { prompts } from './blocks/prompts.js';
import { referrals } from './blocks/referrals.js';
import { shopping } from './blocks/shopping.js';
import { domains, lostPages, pages, toWin } from './blocks/sources.js';
import {
  type BrandPage,
  FRAME_READS,
  framed,
  isTabShown,
  type Loading,
  loading,
  TAB_TITLES,
  titleBelow,
} from './frame.js';
import { html, type Markup } from './html.js';
import { unlessRefused } from './parts/card.js';
import { type Tab, tabPath } from './paths.js';

interface TabPage {
  /** What it reads besides the frame. */
  readonly reads: readonly ReadName[];
  /** Its blocks, from top to bottom. */
  readonly blocks: readonly ((page: Loading) => Promise<Markup>)[];
}

const CRAWLER_BLOCK = async ({ ofSlice }: Loading): Promise<Markup> =>
  unlessRefused(await ofSlice.loadIfPossible('crawlers'), CRAWLERS, crawlers);

export const tabPages: Readonly<Record<Tab, TabPage>> = {
  prompts: {
    reads: ['prompts', 'why', 'gaps', 'fanouts'],
    blocks: [prompts, (page) => absent(page), (page) => searches(page)],
  },
  answers: { reads: ['answers', 'prompts', 'competitors'], blocks: [answersOf] },
  sources: {
    reads: ['sources', 'urls', 'gaps', 'competitors'],
    blocks: [(page) => toWin(page), (page) => domains(page), (page) => pages(page), lostPages],
  },
  competitors: {
    reads: ['competitors'],
    blocks: [(page) => rivals(page, { by: page.view.sort ?? '', to: (sort) => page.here({ sort }) })],
  },
  facts: { reads: ['fact-check', 'answer'], blocks: [facts] },
  needs: { reads: ['briefing', 'prompts', 'competitors'], blocks: [(page) => doNext(page, true)] },
  moves: { reads: ['moves', 'marks'], blocks: [moves, marks] },
  crawlers: { reads: ['crawlers', 'referrals', 'gaps'], blocks: [CRAWLER_BLOCK, referrals, crawlGaps] },
  names: { reads: ['names'], blocks: [names] },
  shopping: { reads: ['shopping', 'ads', 'prompts'], blocks: [shopping, ads] },
};

export const tabReads = (tab: Tab): readonly ReadName[] => [
  ...new Set([...FRAME_READS, ...tabPages[tab].reads, 'overview' as const]),
];

/** @throws 404 for a brand without answers, and for what is not shared with a viewer. */
export async function tabPage(given: BrandPage, tab: Tab): Promise<VNode> {
  const { brand } = given.reads;
  const path = tabPath(brand.id, tab);
  const page = loading(given, path);
  if (!brand.hasRuns || !isTabShown(tab, page.isViewer)) throw refuse(errors.notFound());
  const blocks = await Promise.all(tabPages[tab].blocks.map((block) => block(page)));
  return framed(
    page,
    { title: titleBelow(page, TAB_TITLES[tab]), path, tab },
    html`<h1 class="aural">${TAB_TITLES[tab]}</h1><div class=${`cards ${tab}`}>${blocks}</div>`,
  );
}
