import type { EngineId } from '../../../contract/engines.js';
import { errors } from '../../../contract/errors.js';
import { WHY_LIMIT } from '../../../contract/limits.js';
import { isMeasurable, type MeasureName, measureValue, scaleOf } from '../../../contract/measures.js';
import { fact, noted } from '../../../contract/notes.js';
import { compareText } from '../../../contract/order.js';
import type { Fact } from '../../../contract/read.js';
import {
  type Cut,
  cuts,
  cutsOf,
  type Driver,
  fitsMetric,
  type Why,
  why,
} from '../../../contract/reads/why.js';
import { becauseOf, isMostlyAsked } from '../../../contract/waterfall.js';
import { brandState, dataVersion, hasDataVersion } from '../../accounts/brands.js';
import { daysIn, type Window, windowBefore } from '../../base/days.js';
import { RefusedError, refuse } from '../../base/errors.js';
import { type Comparison, isOtherPanel, judge, surfaceMovedIn } from '../metrics/change.js';
import { type EvidenceOf, evidenceOf, type Wanted } from '../sums/evidence.js';
import { EVERY_RUN } from '../sums/run-choice.js';
import { datesOf, type Explained, explain, type Found, type Question } from './change-parts.js';
import { circumstancesOf, seesCrawlers } from './circumstances.js';
import { comparisons } from './comparison.js';
import { brandRefOf, type Reader, withCaching } from './reader.js';
import { isRolledUp, type Slice, sliceOf, sumsSourceOf } from './slice.js';
import { daysFields } from './slice-days.js';
import { PLAIN_CUT, tellingCut } from './telling-cut.js';

/** The largest first; of equal ones by id, null last. */
const inOrder = (a: Found, b: Found): number =>
  Math.abs(b.contribution.total) - Math.abs(a.contribution.total) ||
  Number(a.id === null) - Number(b.id === null) ||
  compareText(a.id ?? '', b.id ?? '');

async function driversOf(
  { context, slice }: Pick<Question, 'context' | 'slice'>,
  listed: readonly Found[],
  evidence: EvidenceOf,
): Promise<Driver[]> {
  const wantedIn = (at: number, window: Window, runs: Found['runs']['after']): Wanted[] => {
    if (runs === null) return [];
    const { start, end } = datesOf(window, runs.days);
    return runs.keys.map((key) => ({ at, key, first: start, last: end }));
  };
  const wanted = listed.flatMap(({ runs: { before, after } }, at) => [
    ...wantedIn(2 * at, slice.prior, before),
    ...wantedIn(2 * at + 1, slice.window, after),
  ]);
  const choice = { brandKey: context.brand.key, engines: slice.engines as readonly EngineId[] };
  const ids = await evidenceOf(context.db, evidence, { ...choice, ...(slice.runs ?? EVERY_RUN) }, wanted);
  return listed.map((each, at) => ({
    ...cellOf(each),
    evidence: { before: ids.get(2 * at) ?? [], after: ids.get(2 * at + 1) ?? [] },
  }));
}

/** A driver without its evidence. */
function cellOf({ id, name, contribution }: Found): Omit<Driver, 'evidence'> {
  const { kind, before, after, weightBefore, weightAfter, rate, mix, panel, total, interval, verdict } =
    contribution;
  return {
    id,
    name,
    kind,
    before,
    after,
    weight_before: weightBefore,
    weight_after: weightAfter,
    rate,
    mix,
    panel,
    total,
    interval: interval && [...interval],
    verdict,
  };
}

/**
 * Because of what a metric of the brand moved, in a sentence, without answers as evidence.
 * @param moved Whose surfaces are the same in the window and in the one before.
 * @returns Null: no part of the change is more than chance, it is not measured, or runs that it needs were pruned.
 */
export async function reasonOf(
  context: Question['context'],
  {
    metric,
    window,
    engines,
  }: { readonly metric: MeasureName; readonly window: Window; readonly engines: readonly EngineId[] },
): Promise<string | null> {
  const slice: Slice = {
    window,
    prior: windowBefore(window),
    engines,
    runs: null,
    selection: null,
    rolledUp: isRolledUp(engines, null),
  };
  const of = fitsMetric('rival', metric) ? 'every entity' : 'brand';
  const { compare, totals } = await comparisons(context, of, slice, 'every run');
  const comparison = compare({ entity: 0, domain: context.brand.domain });
  const { current, previous, panel } = comparison;
  const [after, before] = [measureValue(metric, current), measureValue(metric, previous)];
  const { verdict } = judge(metric, comparison);
  if (after === null || before === null || !(verdict === 'up' || verdict === 'down')) return null;
  const isJudged = { panel: !isOtherPanel(panel), mix: true };
  const question = { context, slice, params: {}, metric, comparison, totals, compare, isJudged };
  const difference = after - before;
  try {
    const { explained } = await tellingCut(question, difference, false);
    if (explained === null) return null;
    const drivers = [...explained.found].sort(inOrder).map(cellOf);
    return becauseOf({ metric, difference, verdict, parts: explained.parts, drivers });
  } catch (error) {
    if (error instanceof RefusedError) return null;
    throw error;
  }
}

/** What the drivers say together. */
function findings(
  { metric, comparison }: Question,
  by: Cut,
  explained: Explained | null,
  verdict: Why['verdict'],
): (Fact | false)[] {
  if (explained === null) return [unmeasuredNote(metric, comparison)];
  const { found, parts } = explained;
  const moved = found.filter(({ contribution }) => ['up', 'down'].includes(contribution.verdict ?? ''));
  const hasReason = moved.some(({ contribution }) => contribution.total > 0 === (verdict === 'up'));
  const { cells } = cuts[by];
  const isMoving = verdict === 'up' || verdict === 'down';
  const isAsked = isMostlyAsked(parts);
  return [
    by === 'tag' && fact('tags_overlap'),
    isMoving && isAsked && fact('mostly_asked', { cells }),
    isMoving &&
      !isAsked &&
      !hasReason &&
      found.length > 1 &&
      fact('spread_change', { total: found.length, cells }),
    verdict === 'no_clear_change' && fact(moved.length === 0 ? 'only_noise' : 'some_moved', { cells }),
    aloneNote(found, cells),
  ];
}

/** The cells whose verdict a read of the cell alone would not share. */
function aloneNote(found: readonly Found[], cells: string): Fact | false {
  const alone = found.filter(
    ({ contribution: { verdict, interval } }) =>
      verdict === 'no_clear_change' && interval !== null && (interval[0] > 0 || interval[1] < 0),
  );
  const names = [...alone].sort(inOrder).map(({ name }) => name);
  return (
    names.length > 0 &&
    fact('chance_among_many', { names: names.slice(0, MAX_NAMED), total: found.length, cells })
  );
}
const MAX_NAMED = 3;

function unmeasuredNote(metric: MeasureName, { current, previous }: Comparison): Fact {
  if (!isMeasurable(metric, current.hasDomain)) return fact('no_parts');
  const isNow = measureValue(metric, current) !== null;
  const isBefore = measureValue(metric, previous) !== null;
  if (!isNow && !isBefore) return fact('no_parts');
  return fact(isNow ? 'no_parts_before' : 'no_parts_now');
}

const compute: Reader<'why'> = async (context, params) => {
  const { brand } = context;
  const { metric = why.params.metric.default, by: asked, limit = WHY_LIMIT.default } = params;
  if (asked && !fitsMetric(asked, metric)) throw refuse(errors.cutDoesNotFit(asked, metric, cutsOf(metric)));
  const slice = await sliceOf(context, params);
  const from = await sumsSourceOf(context, slice, slice.prior.start, params);
  const { compare, totals, days, gaps } = await comparisons(
    context,
    (asked ?? 'rival') === 'rival' && fitsMetric('rival', metric) ? 'every entity' : 'brand',
    slice,
    from,
  );
  const comparison = compare({ entity: 0, domain: brand.domain });
  const { current, previous, panel } = comparison;
  const isMixed = surfaceMovedIn(comparison) !== undefined;
  const isSearched = (comparison.unsearched?.(metric) ?? null) === null;
  const isJudged = { panel: isSearched && !isOtherPanel(panel), mix: !isMixed };
  const question = { context, slice, params, metric, comparison, totals, compare, isJudged };
  const after = measureValue(metric, current);
  const before = measureValue(metric, previous);
  const isMeasured = after !== null && before !== null;
  const judged = judge(metric, comparison);
  const { verdict } = judged;
  const [circumstances, extent] = await Promise.all([
    circumstancesOf(context, slice, { after: current, before: previous }),
    daysFields(context, slice, { days, gaps }),
  ]);
  const isTelling = asked === undefined && isMeasured && (verdict === 'up' || verdict === 'down');
  const surfacesMoved = circumstances.some(({ kind }) => kind === 'surface');
  // Other surfaces are the first thing to know of a change without a verdict.
  const plain = asked ?? (isMixed ? 'surface' : PLAIN_CUT);
  const { by, explained } = isTelling
    ? await tellingCut(question, after - before, surfacesMoved)
    : { by: plain, explained: isMeasured ? await explain(question, plain) : null };
  const found = [...(explained?.found ?? [])].sort(inOrder);
  const listed = found.slice(0, limit);
  const left = found.slice(limit);
  const sums = by !== 'tag';
  return {
    brand: brandRefOf(brand),
    metric,
    unit: scaleOf(metric).unit,
    by,
    window: extent.window,
    previous_window: { ...slice.prior, days: daysIn(slice.prior) },
    slice: extent.slice,
    before,
    after,
    difference: isMeasured ? after - before : null,
    ...judged,
    sums,
    parts: explained?.parts ?? null,
    drivers: explained ? await driversOf(question, listed, explained.evidence) : [],
    rest: {
      count: left.length,
      total: sums ? left.reduce((sum, { contribution }) => sum + contribution.total, 0) : null,
    },
    circumstances,
    ...noted([extent.notes, ...findings(question, by, explained, verdict)]),
  };
};

/** Circumstances are also of stored hits, and not of every plan. */
export const reader = withCaching(compute, {
  version: (context) =>
    `${dataVersion(context)} ${context.brand.crawlerVersion} ${seesCrawlers(context.access)}`,
  isCurrent: async (context) => {
    const { db, brand } = context;
    const [state] = await brandState(db, { brandKey: brand.key });
    return state!.crawlerVersion >= brand.crawlerVersion && hasDataVersion(context);
  },
});
