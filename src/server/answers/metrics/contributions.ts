/**
 * What the change of a ratio R = ΣX / ΣY is made of: parts that sum to it, and whether each is more than chance. Cells divide
 * either the runs (prompts, engines) or what is counted in them (names, domains).
 */
import {
  type MeasureName,
  measureValue,
  ratioOf,
  scaleOf,
  type Verdict,
} from '../../../contract/measures.js';
import {
  type DifferenceTest,
  differenceTest,
  isClear,
  LEAST_OBSERVATIONS,
  leastVariance,
  pValueOf,
  radiusOf,
} from './change.js';
import { estimateOf, estimateRatio, type RatioEstimate } from './intervals.js';
import type { Sample } from './samples.js';

/** A cell of the runs in both windows; a window without its runs has sums of 0 and no days. */
export interface Cell {
  readonly before: Sample;
  readonly after: Sample;
}

export interface Contribution {
  readonly kind: 'both' | 'new' | 'retired';
  readonly before: number | null;
  readonly after: number | null;
  readonly weightBefore: number;
  readonly weightAfter: number;
  /** Null, as `mix` and `panel`: the cell divides what is counted. */
  readonly rate: number | null;
  readonly mix: number | null;
  readonly panel: number | null;
  readonly total: number;
  readonly interval: readonly [number, number] | null;
  readonly verdict: Verdict | null;
}

/** What is tested of a cell: `factor` times a difference of two ratios. */
interface Test extends DifferenceTest {
  readonly factor: number;
}

const testOf = (
  factor: number,
  before: RatioEstimate | null,
  after: RatioEstimate | null,
  least: () => number,
): Test | null => {
  const test = differenceTest(before, after, least);
  return test && { factor, ...test };
};

/** A contribution whose verdict depends on the tests of all others. */
type Untested = Omit<Contribution, 'interval' | 'verdict'> & { readonly test: Test | null };

/** The most probable share of wrong claims among the verdicts of one answer. */
export const FALSE_DISCOVERIES = 0.1;

/**
 * The largest p-value that the procedure of Y. Benjamini and Y. Hochberg (Controlling the False Discovery Rate, 1995) still
 * rejects; below 0: none.
 */
export function largestRejected(pValues: readonly number[], rate = FALSE_DISCOVERIES): number {
  const sorted = [...pValues].sort((a, b) => a - b);
  return sorted.findLast((p, at) => p <= ((at + 1) * rate) / sorted.length) ?? -1;
}

/** @param isJudged Whether the windows can be compared: if not, verdicts are unknown, and intervals stay. */
function tested(cells: readonly Untested[], times: number, isJudged: boolean): Contribution[] {
  const rejected = largestRejected(cells.flatMap(({ test }) => (test ? [pValueOf(test)] : [])));
  return cells.map(({ test, ...rest }) => {
    if (rest.kind !== 'both') return { ...rest, interval: null, verdict: null };
    if (test === null) return { ...rest, interval: null, verdict: 'unknown' };
    const { factor, difference } = test;
    const radius = radiusOf(test);
    const ends = [difference - radius, difference + radius].map((end) => times * factor * end);
    const isMoved = isClear(test) && pValueOf(test) <= rejected && rest.total !== 0;
    const moved = (factor * difference > 0 ? 'up' : 'down') satisfies Verdict;
    const verdict = isMoved ? moved : 'no_clear_change';
    const interval = [Math.min(...ends), Math.max(...ends)] as const;
    return { ...rest, interval, verdict: isJudged ? verdict : 'unknown' };
  });
}

// Cells of the runs.

/**
 * The parts of each cell (E. M. Kitagawa, Components of a Difference Between Two Rates, 1955; P. Das Gupta, Standardization and
 * Decomposition of Rates, 1993), in the unit of the metric. If the cells are all runs and do not overlap, the totals sum to
 * the difference. The mean of both windows centres mix and panel, which changes no sum.
 * @returns Null at the place of a cell without a denominator; null: the metric is not measured in one of the windows.
 */
export function contributionsOf(
  metric: MeasureName,
  whole: Cell,
  cells: readonly Cell[],
  isJudged: boolean,
): (Contribution | null)[] | null {
  const [all0, all1] = [whole.before, whole.after].map((sample) => ratioOf(metric, sample));
  if (measureValue(metric, whole.before) === null || measureValue(metric, whole.after) === null) return null;
  const mean = (all0!.numerator / all0!.denominator + all1!.numerator / all1!.denominator) / 2;
  const { times } = scaleOf(metric);
  const untested = cells.map((cell): Untested | null => {
    const [own0, own1] = [cell.before, cell.after].map((sample) => ratioOf(metric, sample));
    const [y0, y1] = [own0!.denominator, own1!.denominator];
    if (y0 === 0 && y1 === 0) return null;
    const [s0, s1] = [y0 / all0!.denominator, y1 / all1!.denominator];
    const [r0, r1] = [own0!.numerator / y0, own1!.numerator / y1];
    const isBoth = y0 > 0 && y1 > 0;
    const rate = isBoth ? (times * (s0 + s1) * (r1 - r0)) / 2 : 0;
    const mix = isBoth ? times * ((r0 + r1) / 2 - mean) * (s1 - s0) : 0;
    const panel = isBoth ? 0 : times * (y0 === 0 ? s1 * (r1 - mean) : -s0 * (r0 - mean));
    return {
      kind: isBoth ? 'both' : y0 === 0 ? 'new' : 'retired',
      before: measureValue(metric, cell.before),
      after: measureValue(metric, cell.after),
      weightBefore: s0,
      weightAfter: s1,
      rate,
      mix,
      panel,
      total: rate + mix + panel,
      test: isBoth
        ? testOf((s0 + s1) / 2, estimateOf(metric, cell.before), estimateOf(metric, cell.after), () =>
            leastVariance(metric, cell.after, cell.before),
          )
        : null,
    };
  });
  const measured = tested(
    untested.filter((each) => each !== null),
    times,
    isJudged,
  ).values();
  return untested.map((each) => each && measured.next().value!);
}

// Cells of what is counted in the runs.

/** A window: its runs by day, and all that is counted in them, of which cells may have a part. */
export interface CountedWindow {
  readonly related: number;
  /** By days before its end. */
  readonly runs: Counts;
  readonly own: number;
  readonly all: number;
}

/** What the change of a share of all counts is made of. */
interface Shares {
  /** The part of the difference that one more of the brand, or one more of the others, in each run would be. */
  readonly ownFactor: number;
  readonly otherFactor: number;
  readonly own: number;
  readonly others: number;
}

/** Counts by days before the end of their window. A day without one has none. */
export type Counts = ReadonlyMap<number, number>;

export const countOf = (counts: Counts): number => [...counts.values()].reduce((a, b) => a + b, 0);

/**
 * The change of own / all as that of the brand and that of the others, per run and by the means of both windows: they sum to
 * it. Null: nothing was counted in one of the windows.
 */
export function sharesOf(before: CountedWindow, after: CountedWindow): Shares | null {
  if (before.all === 0 || after.all === 0) return null;
  const [n0, n1] = [countOf(before.runs), countOf(after.runs)];
  const [x0, x1, s0, s1] = [before.own / n0, after.own / n1, before.all / n0, after.all / n1];
  const [x, s] = [(x0 + x1) / 2, (s0 + s1) / 2];
  const ownFactor = (s - x) / (s0 * s1);
  const otherFactor = -x / (s0 * s1);
  return {
    ownFactor,
    otherFactor,
    own: ownFactor * (x1 - x0),
    others: otherFactor * (s1 - x1 - (s0 - x0)),
  };
}

/**
 * The part of each cell; its sign is that of what it did to the share of the brand.
 * @param cells The counts in both windows, on days with runs.
 */
export function countedContributions(
  { ownFactor, otherFactor }: Shares,
  before: CountedWindow,
  after: CountedWindow,
  cells: readonly { readonly before: Counts; readonly after: Counts; readonly isOwn: boolean }[],
  few: 'of runs' | 'of citations',
  isJudged: boolean,
): Contribution[] {
  const [n0, n1] = [countOf(before.runs), countOf(after.runs)];
  const least = few === 'of runs' ? leastOfRuns : leastOfCitations;
  const untested = cells.map((cell): Untested => {
    const [c0, c1] = [countOf(cell.before), countOf(cell.after)];
    const factor = cell.isOwn ? ownFactor : otherFactor;
    return {
      kind: 'both',
      before: c0 / n0,
      after: c1 / n1,
      weightBefore: n0,
      weightAfter: n1,
      rate: null,
      mix: null,
      panel: null,
      total: factor * (c1 / n1 - c0 / n0),
      test: testOf(factor, perRun(cell.before, before), perRun(cell.after, after), () =>
        least(c0, c1, n0, n1),
      ),
    };
  });
  return tested(untested, 1, isJudged);
}

const perRun = (counts: Counts, { runs, related }: CountedWindow): RatioEstimate | null =>
  estimateRatio(
    [...runs].map(([ago, denominator]) => ({ ago, numerator: counts.get(ago) ?? 0, denominator })),
    related,
  );

/** The variance that few counts of citations have if runs are independent; an answer may cite several. 0: the counts are not few. */
const leastOfCitations = (c0: number, c1: number, n0: number, n1: number): number =>
  Math.min(c0, c1) < LEAST_OBSERVATIONS ? ((c0 + c1 + 1) / (n0 + n1)) * (1 / n0 + 1 / n1) : 0;

/** The variance that a share of few runs has if they are independent. 0: they are not few. */
const leastOfRuns = (c0: number, c1: number, n0: number, n1: number): number => {
  const fewest = Math.min(c0, c1, n0 - c0, n1 - c1);
  const p = (c0 + c1 + 1) / (n0 + n1 + 2);
  return fewest < LEAST_OBSERVATIONS ? p * (1 - p) * (1 / n0 + 1 / n1) : 0;
};

/** The mean number of tracked names in an answer, in both windows; null: it did not change by more than chance explains. */
export function meanMoved(before: Sample, after: Sample): { before: number; after: number } | null {
  const [was, is] = [before, after].map(({ days, related }) =>
    estimateRatio(
      days.map(({ ago, totals }) => ({ ago, numerator: totals.presences, denominator: totals.runs })),
      related,
    ),
  );
  const test = testOf(1, was!, is!, () => 0);
  return test && isClear(test) ? { before: was!.ratio, after: is!.ratio } : null;
}
