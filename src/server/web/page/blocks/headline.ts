/** The answer at a glance: the sentence about the brand, what moved and where, and its numbers. */
import { capital, title } from '../../../../contract/glossary.js';
import type { MeasureName } from '../../../../contract/measures.js';
import type { Overview } from '../../../../contract/reads/overview.js';
import type { Driver } from '../../../../contract/reads/why.js';
import {
  LEAD_METRIC,
  metricWords,
  movedMetrics,
  standingOf,
  TOLD_METRICS,
} from '../../../../contract/summary.js';
import { insteadOf } from '../../../answers/reads/briefing.js';
import { daysBetween } from '../../../base/days.js';
import { choicesOf } from '../choices.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { empty, loadedOr, noteOf } from '../parts/card.js';
import { reasons, tileChange } from '../parts/change.js';
import { bounds, formatOf, numberField } from '../parts/numbers.js';
import { phrase } from '../parts/phrase.js';
import { define } from '../parts/pop.js';
import { shownRate } from '../parts/shown.js';
import { day, engineName, noun, userText } from '../parts/text.js';
import { bodiesOf, type Loaded } from '../reads.js';
import { paramsFor } from '../slice.js';
import { collectionSentences } from './collection.js';

/** The tiles, the one that the sentence is about first. */
export const TILES: readonly MeasureName[] = [
  LEAD_METRIC,
  'share_of_voice_fraction',
  'visibility',
  'sentiment_index',
];

/** The metric that a page explains: that of its address, else the first that moved, else the lead metric. */
export const metricOf = ({ view }: Loading, overview: Overview | null): MeasureName =>
  view.metric ?? (overview === null ? LEAD_METRIC : (movedMetrics(overview)[0] ?? LEAD_METRIC));

export async function headline(page: Loading): Promise<Markup> {
  const { ofSlice, reads, slice } = page;
  const [found, rivals, briefing] = await Promise.all([
    ofSlice.loadIfPossible('overview'),
    ofSlice.loadIfPossible('competitors'),
    page.isViewer ? null : ofSlice.loadIfPossible('briefing'),
  ]);
  if ('refused' in found) return empty(found.refused);
  const { body, source } = found;
  const isMeasured = body.run_count > 0;
  const competitors = loadedOr(null, rivals)?.body.competitors ?? [];
  const instead = isMeasured ? undefined : await insteadOf(bodiesOf(reads), paramsFor('overview', slice));
  const why = instead === 'others' ? await whyEmpty(page) : null;
  const sentence = standingOf({ overview: body, competitors, instead, today: reads.today });
  return html`<section class="card glance" id="summary" aria-label="At a glance" data-source=${source}>
    <h1 class="sentence">${why ?? phrase(sentence)}${isMeasured ? await whatMoved(page, body) : null}</h1>
    ${isMeasured ? newestMove(page, body, loadedOr(null, briefing)) : null}
    ${isMeasured ? html`<dl class="tiles" id="scorecard">${TILES.map((metric) => tile(page, body, metric))}</dl>` : null}
    ${foot(page, body)}
    ${isMeasured ? reasons(TILES.map((name) => [TILE_TITLES[name] ?? title(name), body.change[name]])) : null}
    ${why === null ? noteOf(body) : null}
  </section>`;
}

/** What the numbers rest on, where there is something to say of it. */
function foot({ firstVerdictIn, collection }: Loading, body: Overview): Markup {
  const isMeasured = body.run_count > 0;
  const soon =
    firstVerdictIn == null
      ? null
      : `Too few days for more than an impression: first verdict in ${firstVerdictIn} ${noun(firstVerdictIn, 'day')}.`;
  const few = isMeasured && body.low_confidence ? 'Too few answers to rely on.' : null;
  const said = [
    soon ?? few,
    collection && collectionSentences(collection),
    shownRate('overview.shown', body.shown),
  ];
  return said.some((each) => each) ? html`<p class="foot">${said.map((each) => html`${each} `)}</p>` : null;
}

/** How many answers, which lead to these. */
function answersLink({ leads }: Loading, count: number, field = 'overview.run_count'): Markup {
  const number = numberField(field, count);
  const href = leads.answers();
  return count === 0 || href === null ? number : html`<a href=${href}>${number}</a>`;
}

/** What moved and where, from facts: only what is more than chance is named. */
async function whatMoved(page: Loading, body: Overview): Promise<Markup> {
  const isQuiet = movedMetrics(body).length === 0;
  const isKnown = TOLD_METRICS.some((metric) => body.change[metric].verdict !== 'unknown');
  if (isQuiet) return isKnown ? ' Nothing moved by more than chance.' : null;
  const metric = movedMetrics(body)[0]!;
  const { slice } = page;
  const by = async (cut: 'engine' | 'topic') => {
    // Of one there is nothing to tell.
    if (slice[cut]?.length === 1 || (cut === 'topic' && slice.prompt?.length === 1)) return [];
    const read = await page.ofSlice.loadIfPossible('why', { metric, by: cut, limit: WHY_LIMIT });
    return driversThatMoved(loadedOr(null, read), body.change[metric].verdict);
  };
  const [engines, topics] = await Promise.all([by('engine'), by('topic')]);
  const all = movedMetrics(body);
  const direction = (name: MeasureName) => (body.change[name].verdict === 'up' ? ' rose' : ' fell');
  const steps = all.map((name, at) => {
    const words = name === LEAD_METRIC ? 'the share of answers' : metricWords(name);
    const isSame = at > 0 && body.change[name].verdict === body.change[all[at - 1]!].verdict;
    return html`${at === 0 ? ' ' : at === all.length - 1 ? ' and ' : ', '}${at === 0 ? capital(words) : words}${isSame ? '' : direction(name)} to ${numberField(`overview.${name}`, body[name], formatOf(name))}`;
  });
  const places = [
    ...(topics.length === 0 ? [] : [html`in ${listOf(topics)}`]),
    ...(engines.length === 0 ? [] : [html`on ${listOf(engines)}`]),
  ];
  const where = places.map((place, at) => html`${at === 0 ? ', most ' : ' and '}${place}`);
  return html`${steps}${where}.`;
}

/** All drivers that the read can list. */
export const WHY_LIMIT = '200';

const driversThatMoved = (read: Loaded<'why'> | null, verdict: string): string[] =>
  (read?.body.drivers ?? [])
    .filter((driver: Driver) => driver.verdict === verdict && driver.kind === 'both')
    .slice(0, 3)
    .map(({ name }) => name);

const listOf = (names: readonly string[]): Markup =>
  names.map(
    (name, at) => html`${at === 0 ? '' : at === names.length - 1 ? ' and ' : ', '}${userText(name, 40)}`,
  );

const RECENT_DAYS = 7;

/** The newest move of the brand where the window does not say the same. */
function newestMove(
  { leads, reads, slice }: Loading,
  body: Overview,
  briefing: Loaded<'briefing'> | null,
): Markup {
  const move = briefing?.body.moves.find(
    ({ current, role, entity, metric, engine, day: of }) =>
      current &&
      role !== 'folded' &&
      entity === null &&
      metric !== null &&
      engine === null &&
      daysBetween(of, slice.to) <= RECENT_DAYS,
  );
  if (!move || daysBetween(move.day, reads.today) > RECENT_DAYS) return null;
  const metric = move.metric as MeasureName;
  if (body.change[metric]?.verdict === move.direction) return null;
  const days = move.window === null ? '' : `, ${day(move.window.start)} – ${day(move.window.end)}`;
  return html`<p class="foot newest">Newest move (${day(move.day)}${days}): <a href=${leads.tab('moves')}>${userText(move.text, 160)}</a></p>`;
}

/** Why a choice has no answers, where the choice tells; null: it does not. */
async function whyEmpty({ slice, reads }: Loading): Promise<Markup> {
  const { engine, topic, tag, prompt } = slice;
  if (engine === undefined || (topic ?? tag ?? prompt) === undefined) return null;
  const { topic: topics } = await choicesOf(reads, slice);
  const names = [
    ...(topic ?? []).map((id) => topics.find(({ value }) => value === id)?.name ?? id),
    ...(tag ?? []),
  ];
  const which =
    names.length === 0
      ? 'These'
      : html`The ${names.map((name, at) => html`${at === 0 ? '' : ', '}“${userText(name, 40)}”`)}`;
  return html`${which} prompts are not asked on ${engine.map(engineName).join(', ')}: no such answer was collected in these days.`;
}

const TILE_TITLES: Partial<Record<MeasureName, string>> = {
  [LEAD_METRIC]: 'Named in',
  visibility: 'Visibility score',
  sentiment_index: 'Tone',
};

/** What stands after the value of a tile. */
const TILE_UNITS: Partial<Record<MeasureName, string>> = {
  visibility: 'of 100',
  sentiment_index: 'of 100',
};

function tile(page: Loading, body: Overview, name: MeasureName): Markup {
  const format = formatOf(name);
  const words = TILE_TITLES[name] ?? title(name);
  const interval = body.intervals[name];
  const after =
    name === LEAD_METRIC
      ? html`of ${answersLink(page, body.run_count)} ${noun(body.run_count, 'answer')}`
      : TILE_UNITS[name];
  const range =
    interval === null
      ? null
      : html`<p>${100 * body.intervals.level} % interval: ${bounds(`overview.intervals.${name}`, interval, format)}</p>`;
  return html`<div class="tile">
    <dt>${words} ${define(words, name, range)}</dt>
    <dd><strong>${numberField(`overview.${name}`, body[name], format)}</strong>${body[name] === null || after === undefined ? null : html` <small>${after}</small>`}</dd>
    <dd>${tileChange(`overview.change.${name}`, name, body[name], body.change[name])}</dd>
  </div>`;
}
