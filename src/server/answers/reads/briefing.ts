/** How the brand is, what moved, and what needs its people: composed of other reads of the same days and filters. */
import { type BrandReads, bodyOr, type ReadParams, type Refused } from '../../../contract/brand-reads.js';
import { blendedEngineIds } from '../../../contract/engines.js';
import { type BareNeed, wordsOf } from '../../../contract/needs.js';
import { fact, noted } from '../../../contract/notes.js';
import { openingOf } from '../../../contract/opening.js';
import type { Params } from '../../../contract/params.js';
import { textOf } from '../../../contract/phrase.js';
import { BRIEFED_MOVES, type Need } from '../../../contract/reads/briefing.js';
import type { Overview } from '../../../contract/reads/overview.js';
import type { Prompt } from '../../../contract/reads/prompts.js';
import { type BodyOf, reads as definitions, type ReadName, resources } from '../../../contract/registry.js';
import { runFilterNames } from '../../../contract/slice.js';
import { type Instead, rankIn, sentenceOf } from '../../../contract/summary.js';
import { asMeasured } from '../../../contract/unmeasured.js';
import { windowEnding } from '../../base/days.js';
import { faultsOf } from '../collections.js';
import { asideIn, needsAside } from '../needs-aside.js';
import { daysCollected, newestLiveDay } from '../sums/collected-days.js';
import { hasClosedPaths, needsOf } from './needs.js';
import { brandRefOf, type Reader, withCaching } from './reader.js';
import { type SliceParams, selectionOf } from './slice.js';

/** The reads of one choice of runs. */
interface Choice {
  readonly params: ReadParams;
  readonly hasRunFilter: boolean;
  /** Whether a read has every filter of it. */
  readonly isWhole: (name: ReadName) => boolean;
  readonly load: BrandReads['load'];
  readonly loadIfPossible: BrandReads['loadIfPossible'];
}

const compute: Reader<'briefing'> = async ({ db, brand, today, reads: given }, params) => {
  const reads = given!;
  const blended = { brandKey: brand.key, engines: blendedEngineIds };
  const days = await daysOf(reads, today, params, () => daysCollected(db, blended, today));
  const choice = choiceOf(reads, { ...days, ...filtersOf(params) });
  const [overview, competitors, newest, faults, stored] = await Promise.all([
    choice.load('overview'),
    choice.load('competitors'),
    newestLiveDay(db, blended, today),
    faultsOf(db, [brand.key]),
    needsAside(db, { brandKey: brand.key }),
  ]);
  const [found, instead] = await Promise.all([
    findings(reads, choice, overview),
    overview.run_count === 0 ? insteadOf(reads, choice.params) : undefined,
  ]);
  const rows = asMeasured(resources.competitors.response, competitors).competitors;
  const { window, measured } = overview;
  const asideAs = asideIn(stored, window);
  const needs = needsOf(
    {
      today,
      archived: brand.archived,
      newest,
      overview,
      fault: faults.get(brand.key) ?? null,
      ...found.bodies,
    },
    (need) => asideAs(need) !== undefined,
  );
  return {
    brand: brandRefOf(brand),
    sentence: textOf(sentenceOf({ overview, competitors: rows, instead, today })),
    place: overview.run_count === 0 ? null : rankIn(rows),
    needs: needs.filter((need) => asideAs(need) === undefined).map(inWords),
    moves: found.bodies.moves?.moves.slice(0, BRIEFED_MOVES) ?? [],
    overview,
    newest_day: newest,
    window,
    slice: selectionOf(params),
    measured,
    ...noted(found.refusals.map((reason) => fact('refused', { reason }))),
    aside: needs.flatMap((need, at) => {
      const stored = asideAs(need);
      return stored === undefined ? [] : [{ need: inWords(need, at), ...stored }];
    }),
  };
};

/** @param at Its place among those of its list. */
function inWords(need: BareNeed, at: number): Need {
  const { id, kind, worth, facts, lead } = need;
  const { phrase, advice } = wordsOf(need, at);
  return { kind, worth, text: textOf(phrase), advice: textOf(advice), facts, lead, id };
}

/** What is behind it is cached: it takes no turn of its own. */
export const reader = withCaching(compute, { isComposed: true });

const filtersOf = ({ from: _, to: __, ...filters }: SliceParams): ReadParams =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, values]) =>
      Array.isArray(values) ? [[name, values.join(',')]] : [],
    ),
  );

/** The days that the request states, else those on which faces for people open, which depend on all answers and on no filter. */
async function daysOf(
  reads: BrandReads,
  today: string,
  { from, to }: SliceParams,
  collected: () => Promise<number>,
): Promise<ReadParams> {
  if (from && to) return { from, to };
  const range = (days: number) => {
    const { start, end } = windowEnding(today, days);
    return { from: start, to: end };
  };
  return range((await openingOf((days) => reads.load('overview', range(days)), await collected())).days);
}

function choiceOf(reads: BrandReads, params: ReadParams): Choice {
  const has = (name: ReadName) => (param: string) => param in (definitions[name].params as Params);
  const paramsFor = (name: ReadName, more: ReadParams = {}): ReadParams => ({
    ...more,
    ...Object.fromEntries(Object.entries(params).filter(([param]) => has(name)(param))),
  });
  return {
    params,
    hasRunFilter: runFilterNames.some((name) => name in params),
    isWhole: (name) => Object.keys(params).every(has(name)),
    load: (name, more) => reads.load(name, paramsFor(name, more)),
    loadIfPossible: (name, more) => reads.loadIfPossible(name, paramsFor(name, more)),
  };
}

/** The kinds of gaps of which the best is something to do; where the brand is absent, prompts tell. */
export const gapsToRead = ['sources', 'within_reach', 'lost_pages', 'crawl'] as const;

/** The bodies that needs are found in, and why some are missing. A choice without answers has only those about the site. */
async function findings(reads: BrandReads, choice: Choice, { run_count }: Overview) {
  const refusals = new Set<string>();
  const read = async <B extends object>(asked: boolean, load: () => Promise<B | Refused>) => {
    if (!asked) return undefined;
    const body = await load();
    if ('refused' in body) refusals.add(body.refused as string);
    return bodyOr(body);
  };
  const hasAnswers = run_count > 0;
  const { params, hasRunFilter, isWhole } = choice;
  const [sentiment, prompts, crawlers, factCheck, moves, ...gaps] = await Promise.all([
    read(hasAnswers && isWhole('sentiment'), () => choice.loadIfPossible('sentiment')),
    // They have no filter of regions and surfaces, and a row for each prompt to choose from.
    read(hasAnswers && !params.region && !params.surface, () => choice.loadIfPossible('prompts')),
    read(true, () => choice.loadIfPossible('crawlers')),
    read(true, () => reads.loadIfPossible('fact-check')),
    read(!params.engine && !hasRunFilter, () => reads.loadIfPossible('moves')),
    ...gapsToRead.map((kind) => read(hasAnswers, () => choice.loadIfPossible('gaps', { kind }))),
  ]);
  // Which pages are cited, whatever the prompts: paths are closed to all answers.
  const { from, to, engine } = params;
  const pages = { from: from!, to: to!, ...(engine && { engine }) };
  const urls = await read(hasAnswers && crawlers !== undefined && hasClosedPaths(crawlers), () =>
    reads.loadIfPossible('urls', pages),
  );
  return {
    bodies: {
      crawlers,
      factCheck,
      moves,
      urls,
      sentiment: sentiment && asMeasured(resources.sentiment.response, sentiment),
      prompts: prompts?.prompts.filter(isChosenBy(params)),
      gaps: Object.fromEntries(gapsToRead.map((kind, at) => [kind, gaps[at] as BodyOf<'gaps'> | undefined])),
    },
    refusals: [...refusals],
  };
}

const isChosenBy =
  ({ prompt, topic, tag }: ReadParams) =>
  ({ id, topic_id, tags }: Prompt): boolean =>
    (prompt === undefined || prompt.split(',').includes(id)) &&
    (topic === undefined || topic.split(',').includes(topic_id ?? '')) &&
    (tag === undefined || tag.split(',').some((each) => tags.includes(each)));

/** What the days of an overview without answers have. */
export async function insteadOf(reads: BrandReads, params: ReadParams): Promise<Instead | undefined> {
  const history = bodyOr(await reads.loadIfPossible('history', { metric: 'visibility', ...params }));
  const hasDays =
    history?.source === 'daily_stats' &&
    history.series.some(({ points }) => points.some(({ value }) => value !== null));
  if (hasDays) return 'statistics';
  const { from, to, ...filters } = params;
  if (Object.keys(filters).length === 0) return undefined;
  const all = await reads.load('overview', { from: from!, to: to! });
  return all.run_count > 0 ? 'others' : undefined;
}
