/** Whether a measure moved between two windows, by more than chance explains. */
import { isEnough, tooFewDays } from '../../../contract/enough-days.js';
import type { MetricChange } from '../../../contract/intervals.js';
import {
  isMeasurable,
  MAX_MOVED_POINTS,
  type MeasureName,
  measureOf,
  measureValue,
  ratioOf,
  type Sums,
  scaleOf,
} from '../../../contract/measures.js';
import { fact, wordsOf } from '../../../contract/notes.js';
import type { Fact } from '../../../contract/read.js';
import type { Surface } from '../../../contract/surfaces.js';
import { estimateOf, lowestRatio, type RatioEstimate } from './intervals.js';
import type { Sample } from './samples.js';
import { studentExceedance, studentQuantile } from './student.js';
import { deltaOf, differenceOf, roundedValue } from './values.js';

/** Two windows, the prompts that were asked in both, and how the runs of each were collected. */
export interface Comparison {
  readonly current: Sample;
  readonly previous: Sample;
  readonly panel: PanelOverlap;
  readonly surfaces: readonly SurfaceRuns[];
  /** All runs of each window, also those of which the entity is not measured; if omitted, it is measured of all. */
  readonly runs?: { readonly current: number; readonly previous: number };
  /** Why a metric of the entity is not comparable; if omitted, each is. */
  readonly unsearched?: (metric: MeasureName) => Fact | null;
}

/** Runs of each window, and those of prompts that were asked in the other window too. */
export interface PanelOverlap {
  readonly currentRuns: number;
  readonly currentShared: number;
  readonly previousRuns: number;
  readonly previousShared: number;
}

/** The runs of a window, and of the one before, that state a surface. */
export interface SurfaceRuns {
  readonly surface: Surface;
  readonly runs: number;
  readonly previousRuns: number;
}

/** The part of the runs of each window that shared prompts must make up. */
const LEAST_SHARED = 0.5;

/** The change of a metric between the two windows, rounded, with its verdict. */
export function changeOf(metric: MeasureName, comparison: Comparison): MetricChange {
  const { current, previous } = comparison;
  const now = measureValue(metric, current);
  const before = measureValue(metric, previous);
  return {
    previous: roundedValue(metric, before),
    delta: deltaOf(metric, now, before),
    difference: differenceOf(metric, now, before),
    ...judge(metric, comparison),
  };
}

/** The verdict on the difference of a metric between the windows, and the reason where it is unknown. */
export function judge(
  metric: MeasureName,
  { current, previous, panel, surfaces, runs, unsearched }: Comparison,
): Pick<MetricChange, 'verdict' | 'reason' | 'reason_fact'> {
  const unknown = (why: Fact) => ({ verdict: 'unknown' as const, reason: wordsOf(why), reason_fact: why });
  if (!isMeasurable(metric, current.hasDomain)) return unknown(fact('no_domain'));
  const unsearchedFor = unsearched?.(metric) ?? null;
  if (unsearchedFor !== null) return unknown(unsearchedFor);
  const now = estimateOf(metric, current);
  const before = estimateOf(metric, previous);
  const test = differenceTest(before, now, () => leastVariance(metric, current, previous));
  if (test === null)
    return unknown(
      tooFewDays({ related: current.related, now: now?.days ?? [], before: before?.days ?? [] }),
    );
  if (isOtherPanel(panel)) return unknown(otherPanel(panel));
  const moved = surfaceMovedIn({ current, previous, surfaces, ...(runs && { runs }) });
  if (moved) return unknown(otherSurfaces(moved));
  return { verdict: isClear(test) ? directionOf(test) : 'no_clear_change', reason: null, reason_fact: null };
}

/** What is tested: the difference of two ratios. */
export interface DifferenceTest {
  readonly difference: number;
  readonly variance: number;
  /** Degrees of freedom. */
  readonly df: number;
}

/** Null: one of the windows has too few days. @param least The least that V₁ + V₂ is taken for. */
export const differenceTest = (
  before: RatioEstimate | null,
  now: RatioEstimate | null,
  least: () => number,
): DifferenceTest | null =>
  before && now && [before, now].every(({ freedom }) => isEnough(freedom))
    ? {
        difference: now.ratio - before.ratio,
        variance: Math.max(before.variance + now.variance, least()),
        df: before.freedom + now.freedom,
      }
    : null;

/** The test of a metric between two windows; null: it is not measured, or on too few days. */
export const testOf = (
  metric: MeasureName,
  { current, previous }: Pick<Comparison, 'current' | 'previous'>,
): DifferenceTest | null =>
  differenceTest(estimateOf(metric, previous), estimateOf(metric, current), () =>
    leastVariance(metric, current, previous),
  );

/** Half of the interval of the difference: t(ν₁ + ν₂) · √V. */
export const radiusOf = ({ variance, df }: DifferenceTest): number =>
  studentQuantile(df) * Math.sqrt(variance);

/** Whether the interval of the difference excludes 0. */
export const isClear = (test: DifferenceTest): boolean => Math.abs(test.difference) > radiusOf(test);

export const directionOf = ({ difference }: Pick<DifferenceTest, 'difference'>): 'up' | 'down' =>
  difference > 0 ? 'up' : 'down';

export const pValueOf = ({ difference, variance, df }: DifferenceTest): number =>
  difference === 0 ? 1 : studentExceedance(df, difference / Math.sqrt(variance));

/**
 * Whether shared prompts make up too small a part of either window: then the windows measure different prompts.
 * @param least The part; if omitted, half.
 */
export const isOtherPanel = (
  { currentRuns, currentShared, previousRuns, previousShared }: PanelOverlap,
  least = LEAST_SHARED,
): boolean => currentShared < least * currentRuns || previousShared < least * previousRuns;

/** Cut, not rounded, so that a share below a half is never stated as a half. */
const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.floor((100 * part) / whole));

const otherPanel = (panel: PanelOverlap): Fact =>
  fact('other_prompts', {
    share: percent(panel.currentShared, panel.currentRuns),
    share_before: percent(panel.previousShared, panel.previousRuns),
  });

/** Runs of one surface that a window has at least, and at most: any of those that state none may be of it. */
interface Bounded {
  readonly least: number;
  readonly most: number;
  readonly all: number;
}

interface MovedSurface {
  readonly surface: string;
  readonly now: Bounded;
  readonly before: Bounded;
}

/** The surface whose share of the runs changed too much for a verdict; undefined: none. */
export const surfaceMovedIn = ({
  current,
  previous,
  surfaces,
  runs = { current: current.totals.runs, previous: previous.totals.runs },
}: Pick<Comparison, 'current' | 'previous' | 'surfaces' | 'runs'>): MovedSurface | undefined =>
  movedSurface(surfaces, runs.current, runs.previous);

/**
 * The surface whose share of the runs differs between the windows by more than `MAX_MOVED_POINTS`, whatever the runs are that
 * state none; undefined: nothing says that one does.
 * @param runs, previousRuns All runs of each window.
 */
export function movedSurface(
  surfaces: readonly SurfaceRuns[],
  runs: number,
  previousRuns: number,
): MovedSurface | undefined {
  const unstated = (all: number, of: (row: SurfaceRuns) => number) =>
    all - surfaces.reduce((sum, row) => sum + of(row), 0);
  const [open, previousOpen] = [
    unstated(runs, (row) => row.runs),
    unstated(previousRuns, (row) => row.previousRuns),
  ];
  return surfaces
    .map((row) => ({
      surface: row.surface,
      now: { least: row.runs, most: row.runs + open, all: runs },
      before: { least: row.previousRuns, most: row.previousRuns + previousOpen, all: previousRuns },
    }))
    .find(({ now, before }) => isFarAbove(now, before) || isFarAbove(before, now));
}

/** In whole numbers, so that a difference of exactly so much is none. */
const isFarAbove = (high: Bounded, low: Bounded): boolean =>
  100 * (high.least * low.all - low.most * high.all) > MAX_MOVED_POINTS * high.all * low.all;

function otherSurfaces({ surface, now, before }: MovedSurface): Fact {
  const least = ({ least, all }: Bounded) => Math.floor((100 * least) / all);
  const most = ({ most, all }: Bounded) => Math.ceil((100 * most) / all);
  return isFarAbove(now, before)
    ? fact('surface_rose', { surface, share: least(now), share_before: most(before) })
    : fact('surface_fell', { surface, share: most(now), share_before: least(before) });
}

// Few mentions: a window without any has a variance of zero, and a window with some has one that is measured on too few days,
// so that a handful of answers would seem a move. There the variance that independent answers would have is the least.
// Elsewhere it is not, because asking the same prompts every day varies less than independent answers do.

/** Windows with fewer observations of the entity are sparse; for a share also those with fewer of all others. */
export const LEAST_OBSERVATIONS = 5;

/** The values of a metric in one window, one for each observation. */
interface Observed {
  /** How many of them count for the entity. */
  readonly own: number;
  readonly all: number;
  readonly sum: number;
  /** The sum of their squares; of visibility, whose squares are not stored, at most. */
  readonly squares: number;
}

function observedIn(metric: MeasureName, sums: Sums): Observed {
  const { numerator, denominator, one } = ratioOf(metric, sums);
  const { own, squares } = measureOf(metric);
  const sum = numerator / one;
  return {
    own: own?.(sums.entity, sums.totals) ?? sum,
    all: denominator / one,
    sum,
    squares: squares?.(sums.entity, sums.totals) ?? sum,
  };
}

const isSparse = (metric: MeasureName, { own, all }: Observed): boolean =>
  own < LEAST_OBSERVATIONS || (scaleOf(metric).interval === 'wilson' && all - own < LEAST_OBSERVATIONS);

/**
 * The least variance of the difference between two windows: that of independent observations, with one more at each end of
 * the scale (after A. Agresti, B. Caffo, Simple and Effective Confidence Intervals for Proportions, 2000). 0: neither
 * window is sparse. Both have observations.
 */
export function leastVariance(metric: MeasureName, current: Sample, previous: Sample): number {
  const windows = [current, previous].map((sample) => observedIn(metric, sample));
  if (!windows.some((each) => isSparse(metric, each))) return 0;
  const lowest = lowestRatio(metric);
  const total = (of: (observed: Observed) => number) => windows.reduce((sum, each) => sum + of(each), 0);
  const all = total((each) => each.all) + 2;
  const mean = (total((each) => each.sum) + lowest + 1) / all;
  const squares = (total((each) => each.squares) + lowest ** 2 + 1) / all;
  return (squares - mean ** 2) * total((each) => 1 / each.all);
}

type Changes<M extends MeasureName> = { previous_run_count: number } & Record<M, MetricChange>;

/** The change of each measure, as a field of the contract. */
export const changesOf = <M extends MeasureName>(
  names: readonly M[],
  comparison: Comparison,
): Changes<M> => ({
  previous_run_count: comparison.runs?.previous ?? comparison.previous.totals.runs,
  ...(Object.fromEntries(names.map((name) => [name, changeOf(name, comparison)])) as Record<M, MetricChange>),
});
