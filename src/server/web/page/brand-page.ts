/** The page of a brand: its blocks, from top to bottom. */
import type { VNode } from 'preact';
import { engineIds } from '../../../contract/engines.js';
import { LIVE_HORIZON_DAYS, PAGE_LIMIT } from '../../../contract/limits.js';
import type { ReadName } from '../../../contract/registry.js';
import { runFilterNames } from '../../../contract/slice.js';
import { gapsToRead, insteadOf } from '../../answers/reads/briefing.js';
import { isStalled } from '../../answers/reads/needs.js';
import { daysIn, windowEnding } from '../../base/days.js';
import { actions } from './blocks/actions.js';
import { ADS, ads } from './blocks/ads.js';
import type { CollectionLine } from './blocks/collection.js';
import { COMPETITORS, competitors } from './blocks/competitors.js';
import { chips, controls, promptLabels, switcher } from './blocks/controls.js';
import { CRAWLERS, crawlers } from './blocks/crawlers.js';
import { ENGINES, type EngineReads, engines } from './blocks/engines.js';
import { SEARCHES, searches } from './blocks/fanouts.js';
import { firstSteps } from './blocks/first-steps.js';
import { type GapsReads, gaps } from './blocks/gaps.js';
import { VISIBILITY, visibility } from './blocks/history.js';
import { SCORECARD, scorecard } from './blocks/overview.js';
import { ABSENT, absent } from './blocks/prompts.js';
import { QUOTES, quotes } from './blocks/sentiment.js';
import { shareForm } from './blocks/share.js';
import { SHOPPING, shopping } from './blocks/shopping.js';
import { DOMAINS, domains, PAGES, pages } from './blocks/sources.js';
import { SUMMARY, summary } from './blocks/summary.js';
import { WHY, WHY_ASKED, why } from './blocks/why.js';
import { brandsInOrder } from './brands-page.js';
import { choicesOf } from './choices.js';
import { html, type Markup } from './html.js';
import { type Leads, leadsOf } from './leads.js';
import { card, empty, loadedOr, unlessRefused } from './parts/card.js';
import { type Link, layout } from './parts/layout.js';
import { aboutOf, longDay, span, truncated, userText } from './parts/text.js';
import { brandPath, type Query, withQuery } from './paths.js';
import { bodiesOf, type Loaded, type PageReads } from './reads.js';
import type { LinkFilters } from './shared-reads.js';
import {
  beyondWords,
  enginesOf,
  hasRunFilter,
  isChosenBy,
  missingIn,
  paramsFor,
  queryOf,
  type Slice,
  slicedReads,
  withFilter,
  withRange,
} from './slice.js';

export const BRAND_READS: readonly ReadName[] = [
  'brands',
  'overview',
  'why',
  'history',
  'competitors',
  'prompts',
  'content-coverage',
  'sources',
  'urls',
  'sentiment',
  'crawlers',
  'fact-check',
  'answers',
  'fanouts',
  'shopping',
  'ads',
  'gaps',
  'moves',
];

/** The parameters of the chart besides those of the slice. */
export const CHART = { metric: 'visibility', competitors: 'true' } as const;

export interface BrandPage {
  readonly reads: PageReads;
  readonly slice: Slice;
  /** The filters of the link of a viewer; undefined: a key, which has none. */
  readonly limits?: LinkFilters | undefined;
  readonly link: Link;
  /** How its collections stand; undefined: not told to this viewer, or on this page. */
  readonly collection?: CollectionLine | undefined;
  /** Days until the first verdict, if answers are collected every day; null: there is one. */
  readonly firstVerdictIn?: number | null;
}

/** The frame of a page below the one of its brand. */
export const frameBelow = ({ reads, link }: BrandPage, leads: Leads, title: string) => ({
  link,
  title,
  access: reads.access,
  nav: html`<a href=${leads.brand}>${userText(reads.brand.name, 60)}</a>`,
});

export async function brandPage(page: BrandPage): Promise<VNode> {
  const { reads, slice, link } = page;
  const { brand, access } = reads;
  const [{ body: listed }, newest, choices] = await Promise.all([
    reads.load('brands'),
    brand.hasRuns ? newestDay(reads) : null,
    brand.hasRuns ? choicesOf(reads, slice) : null,
  ]);
  const { content, things } = brand.hasRuns ? await collected(page, newest) : await uncollected(page);
  const frame = {
    link,
    title: `${truncated(brand.name, 60)} · Answer visibility`,
    access,
    nav: html`${switcher(link, brandsInOrder(listed.brands), brand.id, slice)}
      ${things === 0 ? null : html`<a class="todo" href="#actions">${things} ${things === 1 ? 'thing needs' : 'things need'} you</a>`}`,
  };
  return layout(
    frame,
    html`
    <div class="title">
      <h1>${userText(brand.name, 80)}</h1>
      <p class="domain">${userText(brand.domain, 80)}</p>
      ${brand.hasRuns ? controls(page, brandPath(brand.id), choices!) : null}
      ${access.shareId === undefined ? shareForm(link, brand, slice) : null}
    </div>
    ${brand.hasRuns ? chips(page, brandPath(brand.id), choices!) : null}
    ${banner(page, newest)}
    <div class="cards">${content}</div>`,
  );
}

/** The newest collected day of some engines within the last weeks; if omitted, of the blended ones. */
async function newestDay(reads: PageReads, engine?: Slice['engine']): Promise<string | null> {
  const filter = engine && { engine: engine.join(',') };
  const { body } = await reads.load('history', { metric: 'visibility', days: '7', ...filter });
  return body.window.end;
}

/**
 * The warning above the numbers: collection has ended, or has stalled. All blocks show the days that were asked for, which end
 * today unless a range was given; a link leads to the newest days that have answers.
 */
function banner({ reads: { brand, today, access }, slice, link }: BrandPage, newest: string | null): Markup {
  if (!brand.hasRuns) return null;
  const isQuiet = newest === null || isStalled({ today, archived: false, newest });
  if (!brand.archived && !isQuiet) return null;
  const since =
    newest === null
      ? `no answers in the last ${LIVE_HORIZON_DAYS} days`
      : html`no answers since <time datetime=${newest}>${longDay(newest)}</time>`;
  const what = brand.archived
    ? 'This brand is archived: its collection has ended,'
    : access.shareId === undefined
      ? 'Collection has stalled:'
      : // The newest day is that of the engines of a link: others may have answers.
        'There are';
  return html`<p class=${brand.archived ? 'banner' : 'banner bad'}>${what} ${since}. All numbers here are of ${span(slice.from, slice.to)}.${newest === null || slice.to <= newest ? null : html` <a href=${link(withQuery(brandPath(brand.id), lastDaysTo(newest, slice)))}>Show the days to ${longDay(newest)}</a>`}</p>`;
}

/** As many days that end on the newest collected one. */
const lastDaysTo = (newest: string, slice: Slice): Query => {
  const { start, end } = windowEnding(newest, daysIn({ start: slice.from, end: slice.to }));
  return queryOf(withRange(slice, { start, end }));
};

interface Content {
  readonly content: Markup;
  readonly things: number;
}

async function collected(
  { reads, slice, limits, link, collection }: BrandPage,
  newest: string | null,
): Promise<Content> {
  const { brand, today, access } = reads;
  // What to do about collection, logs and facts is for people with a key.
  const isViewer = access.shareId !== undefined;
  const isQuiet = isViewer || brand.archived;
  const { loadIfPossible } = slicedReads(reads, slice);
  // Quotes and wrong answers are of all prompts, regions and surfaces: their reads have no such filter.
  const ofEngines = slicedReads(reads, enginesOf(slice));
  const isFiltered = hasRunFilter(slice);
  const isWhole = (name: ReadName) => missingIn(name, slice).length === 0;
  /** Null under a filter that the read does not have: it would show what the page is not about. */
  const loadIfFiltered = async <N extends ReadName>(name: N) => (isWhole(name) ? loadIfPossible(name) : null);
  const [
    scoped,
    overview,
    reasons,
    history,
    rivals,
    prompts,
    coverage,
    sources,
    urls,
    sentiment,
    crawl,
    factCheck,
    answers,
    fanouts,
    carousels,
    adUnits,
    gapsReads,
    briefing,
  ] = await Promise.all([
    isFiltered ? null : slice.engine ? newestDay(reads, slice.engine) : newest,
    loadIfPossible('overview'),
    loadIfPossible('why', WHY_ASKED),
    loadIfPossible('history', CHART),
    loadIfPossible('competitors'),
    loadIfPossible('prompts'),
    // It has no filter of engines, regions and surfaces: under one it would show what others cite.
    slice.engine || slice.region || slice.surface ? null : loadIfPossible('content-coverage'),
    loadIfPossible('sources'),
    loadIfPossible('urls'),
    loadIfPossible('sentiment'),
    loadIfPossible('crawlers'),
    loadIfPossible('fact-check'),
    ofEngines.loadIfPossible('answers', { limit: String(PAGE_LIMIT.maximum) }),
    loadIfFiltered('fanouts'),
    loadIfFiltered('shopping'),
    loadIfFiltered('ads'),
    gapsOf(loadIfPossible, isViewer),
    isQuiet ? null : loadIfPossible('briefing'),
  ]);
  const [byEngine, ownPages] = await Promise.all([
    'refused' in history ? [] : readsByEngine(reads, slice),
    isFiltered ? ofEngines.loadIfPossible('urls') : urls,
  ]);
  const leads = leadsOf(link, brand.id, slice);
  const isChosen = isChosenBy(slice);
  const instead =
    'refused' in overview || overview.body.run_count > 0
      ? undefined
      : await insteadOf(bodiesOf(reads), paramsFor('overview', slice));
  const toDo = briefing && loadedOr(null, briefing);
  const beyond = beyondWords(runFilterNames.filter((name) => slice[name] !== undefined));
  const hasAnswers = 'refused' in overview || overview.body.run_count > 0;
  const content = html`
    ${unlessRefused(overview, SUMMARY, (read) => summary({ today, overview: read, instead, rivals, engines: byEngine, sources }, leads))}
    ${toDo && actions({ today, archived: brand.archived, briefing: toDo, crawlers: crawl, urls: ownPages, factCheck }, leads, beyond && `facts and crawlers ${beyond}`)}
    ${unlessRefused(overview, SCORECARD, (read) => scorecard(read, scoped, collection))}
    ${unlessRefused(reasons, WHY, (read) => why(read, leads))}
    ${unlessRefused(history, VISIBILITY, (read) => visibility(withDays(read, slice), leads))}
    ${unlessRefused(rivals, COMPETITORS, (read) => competitors(read, leads))}
    ${unlessRefused(history, ENGINES, (read) => engines(byEngine, aboutOf({ ...withDays(read, slice).body, slice: null }), leads))}
    ${unlessRefused(sources, DOMAINS, (read) => domains(read, leads))} ${unlessRefused(urls, PAGES, (read) => pages(read, hasAnswers, leads))}
    ${unlessRefused(sentiment, QUOTES, (read) => quotes(read, answers, prompts, leads))}
    ${unlessRefused(prompts, ABSENT, (read) => absent(read, loadedOr(null, coverage), leads, isChosen, promptLabels({ link, slice, limits }, brand.id)))}
    ${gaps(gapsReads, leads)}
    ${fanouts && unlessRefused(fanouts, SEARCHES, (read) => searches(read, null, leads))}
    ${carousels && unlessRefused(carousels, SHOPPING, (read) => shopping(read, leads))} ${adUnits && unlessRefused(adUnits, ADS, (read) => ads(read, leads))}
    ${isViewer ? null : unlessRefused(crawl, CRAWLERS, crawlers)}`;
  return { content, things: toDo?.body.needs.length ?? 0 };
}

/** The gaps of the page. Those of crawlers are for people with a key. */
const gapsOf = async (
  load: ReturnType<typeof slicedReads>['loadIfPossible'],
  isViewer: boolean,
): Promise<GapsReads> =>
  Object.fromEntries(
    await Promise.all(
      gapsToRead
        .filter((kind) => kind !== 'crawl' || !isViewer)
        .map(async (kind) => [kind, await load('gaps', { kind })] as const),
    ),
  );

/** A history with the days of the page, also where no answer was ever collected, which leaves it without a window. */
export const withDays = (history: Loaded<'history'>, { from, to }: Slice): Loaded<'history'> => {
  const { window } = history.body;
  const dated = { ...window, start: window.start ?? from, end: window.end ?? to };
  return { ...history, body: { ...history.body, window: dated } };
};

/** The reads of each engine of the slice. */
const readsByEngine = (reads: PageReads, slice: Slice): Promise<EngineReads[]> =>
  Promise.all(
    (slice.engine ?? engineIds).map(async (engine) => {
      const { load } = slicedReads(reads, withFilter(slice, 'engine', [engine]));
      const history = await load('history', { metric: CHART.metric });
      const hasAnswers = (history.body.series[0]?.window_run_count ?? 0) > 0;
      return { engine, history, overview: hasAnswers ? await load('overview') : null };
    }),
  );

/** The blocks of a brand for which no answer was ever collected: what is there, and what to ask for next. */
async function uncollected({ reads, slice, collection }: BrandPage): Promise<Content> {
  if (reads.access.shareId !== undefined)
    return {
      content: card(
        { id: 'scorecard', title: 'Nothing collected yet', wide: true },
        empty('No answer was ever collected for this brand.'),
      ),
      things: 0,
    };
  const [prompts, crawl, factCheck] = await Promise.all([
    reads.load('prompts'),
    reads.loadIfPossible('crawlers', paramsFor('crawlers', slice)),
    reads.load('fact-check'),
  ]);
  const content = html`${firstSteps(prompts, crawl, factCheck, collection)} ${unlessRefused(crawl, CRAWLERS, crawlers)}`;
  return { content, things: 0 };
}
