/** The page of a brand: one screen that answers. Each block loads what it shows. */
import type { VNode } from 'preact';
import { RANGE_DAYS_MAX } from '../../../contract/limits.js';
import { entityMeasureNames, type MeasureName } from '../../../contract/measures.js';
import type { HistorySeries } from '../../../contract/reads/history.js';
import type { ReadName } from '../../../contract/registry.js';
import { LEAD_METRIC } from '../../../contract/summary.js';
import { addDays, daysIn } from '../../base/days.js';
import { against } from './blocks/competitors.js';
import { CRAWLERS, crawlers } from './blocks/crawlers.js';
import { markLead } from './blocks/effect.js';
import { firstSteps, LOOK_AGAIN_SECONDS } from './blocks/first-steps.js';
import { headline, metricOf } from './blocks/headline.js';
import { type HistoryReads, historyBlock } from './blocks/history.js';
import { moved } from './blocks/moved.js';
import { doNext } from './blocks/needs.js';
import { type BrandPage, FRAME_READS, framed, type Loading, loading } from './frame.js';
import { html, type Markup } from './html.js';
import { card, empty, loadedOr, unlessRefused } from './parts/card.js';
import { truncated, userText } from './parts/text.js';
import { brandPath, settingsPath } from './paths.js';
import type { Loaded } from './reads.js';
import { paramsFor, slicedReads, withRange } from './slice.js';

export const BRAND_READS: readonly ReadName[] = [
  ...FRAME_READS,
  ...(['why', 'sources', 'urls', 'sentiment', 'crawlers', 'gaps', 'moves'] as const),
];

/** The parameters of the chart besides those of the slice. */
export const CHART = { metric: 'visibility', competitors: 'true' } as const;

export async function brandPage(given: BrandPage): Promise<VNode> {
  const { brand } = given.reads;
  const path = brandPath(brand.id);
  const page = loading(given, path);
  const content = brand.hasRuns ? await firstScreen(page) : await uncollected(page);
  const title = `${truncated(brand.name, 60)} · ${ownerOf(page)}`;
  const isAwaited = !brand.hasRuns && page.collection?.isBeginning === true;
  return framed(
    page,
    { title, path, tab: null, againIn: isAwaited ? LOOK_AGAIN_SECONDS : undefined },
    content,
  );
}

/** Whose page it is: to the viewers of a link, the workspace that shared it. */
const ownerOf = ({ isViewer, reads: { access } }: Loading): string =>
  isViewer && access.workspaceName !== null ? truncated(access.workspaceName, 40) : 'Answer visibility';

/** The first screen of a brand or of a part of its answers: is it visible, did it move, where, against whom, what to do. */
export async function firstScreen(page: Loading): Promise<Markup> {
  const overview = loadedOr(null, await page.ofSlice.loadIfPossible('overview'))?.body ?? null;
  const metric = metricOf(page, overview);
  const isMeasured = overview !== null && overview.run_count > 0;
  const [glance, line, todo, changes, others] = await Promise.all([
    headline(page),
    lineOf(page, metric),
    doNext(page),
    isMeasured ? moved(page, metric, overview.run_count) : null,
    isMeasured ? against(page) : null,
  ]);
  return html`<div class="screen">
    <div class="main">${glance}${line}${changes}</div>
    <div class="side">${todo}${others}</div>
  </div>`;
}

/** The line over the window and the one before. */
export async function lineOf(page: Loading, metric: MeasureName, rival?: string): Promise<Markup> {
  const { ofSlice, slice, reads, exports } = page;
  const window = { start: slice.from, end: slice.to };
  const [found, rows] = await Promise.all([
    ofSlice.loadIfPossible('overview'),
    ofSlice.loadIfPossible('competitors'),
  ]);
  const overview = loadedOr(null, found)?.body ?? null;
  const days = daysIn(window);
  const previous = { start: addDays(slice.from, -days), end: addDays(slice.from, -1) };
  const isPossible = 2 * days <= RANGE_DAYS_MAX && overview?.has_prior_window === true;
  const params = { metric, competitors: 'true' };
  const wide = slicedReads(reads, withRange(slice, { start: previous.start, end: slice.to }), exports);
  const both = isPossible ? loadedOr(null, await wide.loadIfPossible('history', params)) : null;
  const values = both && (await valuesOf(page, metric, both, loadedOr(null, rows)));
  const drawn = both ?? (await ofSlice.loadIfPossible('history', params));
  if ('refused' in drawn) return card({ id: 'line', title: 'By day' }, empty(drawn.refused));
  return historyBlock(
    {
      metric,
      drawn,
      window,
      before: both && previous,
      values,
      means: { now: overview?.[metric] ?? null, before: overview?.change[metric].previous ?? null },
      said: overview?.notes ?? [],
      toMark: markLead(page),
    },
    rival,
  );
}

/** The metric of every entity over the window, which the history of both windows does not have. */
async function valuesOf(
  { ofSlice, slice }: Loading,
  metric: MeasureName,
  { body: { series } }: Loaded<'history'>,
  rows: Loaded<'competitors'> | null,
): Promise<HistoryReads['values']> {
  const name = entityMeasureNames.find((each) => each === metric);
  if (rows !== null && name !== undefined)
    return new Map(rows.body.competitors.map((row) => [row.id, row[name]]));
  const isCounted = series.every(({ points }) =>
    points.every(({ sample_size }) => sample_size < ROUNDED_UP_TO),
  );
  if (metric === LEAD_METRIC && isCounted)
    return new Map(
      series.map(({ id, points }) => [id, shareOf(points.filter(({ date }) => date >= slice.from))]),
    );
  const now = loadedOr(null, await ofSlice.loadIfPossible('history', { metric, competitors: 'true' }));
  return now && new Map(now.body.series.map(({ id, window_value }) => [id, window_value]));
}

/** Of fewer answers, a share that is rounded to three digits tells their number. */
const ROUNDED_UP_TO = 1000;

/** The share of answers over days, from the whole numbers of answers that the rounded shares of the days are of. */
function shareOf(points: HistorySeries['points']): number | null {
  const days = points.filter(({ value }) => value !== null);
  const answers = days.reduce((sum, { sample_size }) => sum + sample_size, 0);
  const named = days.reduce((sum, { value, sample_size }) => sum + Math.round(value! * sample_size), 0);
  return answers === 0 ? null : named / answers;
}

/** The blocks of a brand for which no answer was ever collected: what is there, and what to ask for next. */
async function uncollected({
  reads,
  slice,
  link,
  collection,
  isViewer,
  isEditable,
}: Loading): Promise<Markup> {
  if (isViewer)
    return html`<h1 class="aural">${userText(reads.brand.name, 60)}</h1>${card({ id: 'steps', title: 'Nothing collected yet' }, empty('No answer was ever collected for this brand.'))}`;
  const [prompts, crawl, factCheck] = await Promise.all([
    reads.load('prompts'),
    reads.loadIfPossible('crawlers', paramsFor('crawlers', slice)),
    reads.load('fact-check'),
  ]);
  return html`<h1 class="aural">${userText(reads.brand.name, 60)}</h1><div class="cards">${firstSteps(prompts, crawl, factCheck, collection, isEditable ? link(settingsPath(reads.brand.id)) : null)} ${unlessRefused(crawl, CRAWLERS, crawlers)}</div>`;
}
