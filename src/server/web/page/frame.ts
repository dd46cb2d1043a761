/** What every page of a brand has around its content: the bar, the tabs, the warning that its answers are old. */
import type { VNode } from 'preact';
import { LIVE_HORIZON_DAYS } from '../../../contract/limits.js';
import type { BrandEntry } from '../../../contract/reads/brands.js';
import type { ReadName } from '../../../contract/registry.js';
import { isStalled } from '../../answers/reads/needs.js';
import { daysIn, windowEnding } from '../../base/days.js';
import { bar, chosenWords } from './blocks/bar.js';
import type { CollectionLine } from './blocks/collection.js';
import { shareForm } from './blocks/share.js';
import { brandsInOrder } from './brands-page.js';
import { choicesOf } from './choices.js';
import { html, type Markup } from './html.js';
import { type Leads, leadsOf } from './leads.js';
import { loadedOr } from './parts/card.js';
import { type Link, layout } from './parts/layout.js';
import { whole } from './parts/numbers.js';
import { longDay, span, truncated } from './parts/text.js';
import { brandPath, type Query, settingsPath, TABS, type Tab, withQuery } from './paths.js';
import type { PageReads } from './reads.js';
import type { LinkFilters } from './shared-reads.js';
import {
  type Exports,
  paramsFor,
  queryOf,
  type Slice,
  type SlicedReads,
  slicedReads,
  withRange,
} from './slice.js';
import { queryOfView, type View } from './view.js';

export interface BrandPage {
  readonly reads: PageReads;
  readonly slice: Slice;
  readonly view: View;
  /** The filters of the link of a viewer; undefined: a key, which has none. */
  readonly limits?: LinkFilters | undefined;
  readonly link: Link;
  /** How its collections stand; undefined: not told to this viewer, or on this page. */
  readonly collection?: CollectionLine | undefined;
  /** Whether this visitor may change the plan of the brand. */
  readonly isEditable?: boolean;
  /** Days until the first verdict, if answers are collected every day; null: there is one. */
  readonly firstVerdictIn?: number | null;
}

/** A page of a brand while its blocks are loaded. */
export interface Loading extends BrandPage {
  readonly leads: Leads;
  /** The reads of the slice, whose files the page offers. */
  readonly ofSlice: SlicedReads;
  readonly exports: Exports;
  /** The address of this page with other parameters besides the slice. */
  readonly here: (more: Query) => string;
  readonly isViewer: boolean;
}

/**
 * @param path Of the page.
 * @param slice That of its reads; if omitted, that of its address.
 */
export function loading(page: BrandPage, path: string, slice: Slice = page.slice): Loading {
  const exports: Exports = new Map();
  const { reads, link } = page;
  return {
    ...page,
    slice,
    leads: leadsOf(link, reads.brand.id, slice),
    ofSlice: slicedReads(reads, slice, exports),
    exports,
    here: (more) => link(withQuery(path, { ...queryOf(page.slice), ...more })),
    isViewer: reads.access.shareId !== undefined,
  };
}

/** The reads of the frame itself. */
export const FRAME_READS: readonly ReadName[] = [
  'brands',
  'overview',
  'history',
  'prompts',
  'competitors',
  'fact-check',
  'briefing',
];

interface Frame {
  readonly title: string;
  /** Of the page, for its forms. */
  readonly path: string;
  /** The tab that the page is behind; null: the first screen. Settings have no days and no filters. */
  readonly tab: Tab | typeof SETTINGS | null;
  /** Seconds after which it is loaded again. */
  readonly againIn?: number | undefined;
}

export const SETTINGS = 'settings';

export async function framed(
  page: Loading,
  { title, path, tab, againIn }: Frame,
  content: Markup,
): Promise<VNode> {
  const { reads, slice, link, limits, view, exports, isViewer } = page;
  const { brand, access } = reads;
  const [{ body: listed }, choices, newest, counts] = await Promise.all([
    reads.load('brands'),
    brand.hasRuns && tab !== SETTINGS ? choicesOf(reads, slice) : null,
    brand.hasRuns ? reads.newestDay() : null,
    brand.hasRuns ? countsOf(page) : {},
  ]);
  const brands: readonly BrandEntry[] = brandsInOrder(listed.brands);
  const chosen = choices === null ? '' : chosenWords(slice, choices);
  return layout(
    {
      link,
      title,
      access,
      reload: againIn === undefined ? undefined : { to: link(path), seconds: againIn },
      bar: bar({
        link,
        slice,
        limits,
        brand,
        brands,
        path,
        choices,
        exports,
        view: queryOfView(view) as Query,
        share: isViewer ? null : shareForm(link, brand, slice),
      }),
    },
    html`
    ${brand.hasRuns || page.isEditable ? tabs(page, tab, counts) : null}
    <p class="paper">${span(slice.from, slice.to)}${chosen === '' ? '' : `, ${chosen}`} · printed on ${longDay(reads.today)}</p>
    ${banner(page, newest)}
    ${content}`,
  );
}

export const TAB_TITLES: Readonly<Record<Tab, string>> = {
  prompts: 'Prompts',
  answers: 'Answers',
  sources: 'Sources',
  competitors: 'Rivals',
  facts: 'Facts',
  needs: 'Do next',
  moves: 'Moves',
  crawlers: 'Crawlers',
  shopping: 'Shopping and ads',
  names: 'Also named',
};

/** About the site, its facts and what to do: for people with a key. */
const NOT_SHARED: readonly Tab[] = ['facts', 'needs', 'moves', 'crawlers'];

export const isTabShown = (tab: Tab, isViewer: boolean): boolean => !isViewer || !NOT_SHARED.includes(tab);

type Counts = { readonly [T in Tab]?: number | undefined };

async function countsOf({ ofSlice, reads, isViewer, slice }: Loading): Promise<Counts> {
  const [overview, prompts, rivals, facts, briefing] = await Promise.all([
    ofSlice.loadIfPossible('overview'),
    reads.loadIfPossible('prompts', paramsFor('prompts', slice)),
    reads.loadIfPossible('competitors', { from: slice.from, to: slice.to }),
    isViewer ? null : reads.loadIfPossible('fact-check'),
    isViewer || reads.brand.archived ? null : ofSlice.loadIfPossible('briefing'),
  ]);
  return {
    prompts: loadedOr(undefined, prompts)?.body.prompts.length,
    answers: loadedOr(undefined, overview)?.body.run_count,
    competitors: loadedOr(undefined, rivals)?.body.competitors.filter(({ is_brand }) => !is_brand).length,
    facts: loadedOr(undefined, facts)?.body.fact_check?.discrepancies.length,
    needs: loadedOr(undefined, briefing)?.body.needs.length,
  };
}

function tabs(page: Loading, current: Frame['tab'], counts: Counts): Markup {
  const { isViewer, isEditable, leads, link, reads } = page;
  const shown = reads.brand.hasRuns ? TABS.filter((tab) => isTabShown(tab, isViewer)) : [];
  const here = (tab: Frame['tab']) => (current === tab ? 'page' : undefined);
  return html`
  <nav class="tabs" aria-label="Pages of the brand">
    <a href=${leads.brand} aria-current=${here(null)}>Overview</a>
    ${shown.map(
      (tab) =>
        html`<a href=${leads.tab(tab)} aria-current=${here(tab)}>${TAB_TITLES[tab]}${counts[tab] === undefined ? null : html` <small>${whole(counts[tab])}</small>`}</a>`,
    )}
    ${isEditable ? html`<a href=${link(settingsPath(reads.brand.id))} aria-current=${here(SETTINGS)}>Settings</a>` : null}
  </nav>`;
}

/** The title of a page below the one of its brand. */
export const titleBelow = ({ reads: { brand } }: BrandPage, words: string): string =>
  `${truncated(words, 60)} · ${truncated(brand.name, 40)}`;

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

/** The window of a slice moved, so that it ends on the newest collected day. */
const lastDaysTo = (newest: string, slice: Slice): Query => {
  const { start, end } = windowEnding(newest, daysIn({ start: slice.from, end: slice.to }));
  return queryOf(withRange(slice, { start, end }));
};
