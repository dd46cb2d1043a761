import type { Window } from './days.js';
import { dayOf, daysOf } from './days.js';
import type { Entity } from './entities.js';
import { citationShare, presenceRate, sentimentIndex, shareOfVoice, visibility } from './formulas.js';
import type { Unit } from './metric-values.js';
import { SCALES } from './metric-values.js';
import type { Open } from './open.js';
import { OPEN, WORDS } from './open.js';
import type { Metric } from './parameters.js';
import { changeOf, differenceOf, isNearTie } from './reads/trends.js';
import type { RunRecord } from './records.js';
import { roundTo } from './rounding.js';
import { t95 } from './student.js';
import type { Tally } from './tally.js';
import { tally } from './tally.js';
import type { UrlRules } from './url-rules/url-rules.js';

export type AnyMetric = Metric | 'presence_rate';
export type ExpectedBounds = [number | Open, number | Open] | null;
export type ExpectedVerdict = 'up' | 'down' | 'no_clear_change' | 'unknown';
export interface ExpectedJudgement {
  verdict: ExpectedVerdict | Open;
  reason: string | Open | null;
}
export interface ExpectedChange extends ExpectedJudgement {
  previous: number | null;
  delta: number | null | Open;
  difference: number | null | Open;
}

const scaleOf = (metric: AnyMetric) =>
  SCALES[metric === 'presence_rate' ? 'share_of_voice_fraction' : metric];

/** The runs of a window, all of which count. */
export interface Collected {
  window: Window;
  runs: RunRecord[];
}

/** Tallies of every tracked entity, the one in question first. */
type Tallies = Tally[];

/** One entity over one window: all of it, and day by day, or week by week counted back from the end. */
export interface Measured {
  entity: Entity;
  runs: RunRecord[];
  isWeekly: boolean;
  whole: Tallies;
  parts: Tallies[];
}

/** The days of a window one by one, or week by week counted back from its end. */
export function unitsOf(window: Window): string[][] {
  const days = daysOf(window);
  const length = days.length >= 28 ? 7 : 1;
  const units: string[][] = [];
  while (days.length > 0) units.push(days.splice(-length));
  return units;
}

/** Tallies the runs of a window once, for any entity. */
export function measuredIn(
  { window, runs }: Collected,
  tracked: Entity[],
  rules: UrlRules,
): (entity: Entity) => Measured {
  const isWeekly = daysOf(window).length >= 28;
  const groups = unitsOf(window);
  const tallies = (some: RunRecord[]) => tracked.map((each) => tally(some, each, rules));
  const whole = tallies(runs);
  const parts = groups
    .map((group) => runs.filter((run) => group.includes(dayOf(run.collected_at))))
    .filter((some) => some.length > 0)
    .map(tallies);
  return (entity) => {
    const at = tracked.indexOf(entity);
    const ownFirst = (all: Tallies) => [all[at]!, ...all.filter((_, other) => other !== at)];
    return { entity, runs, isWeekly, whole: ownFirst(whole), parts: parts.map(ownFirst) };
  };
}

/** What a metric counts, of what. */
export function ratioOf(metric: AnyMetric, [own, ...others]: Tallies): [number, number] {
  const one = own!;
  switch (metric) {
    case 'visibility':
      return [one.weightSum, 1e9 * one.runs];
    case 'presence_rate':
      return [one.present, one.runs];
    case 'share_of_voice_fraction':
      return [one.present, others.reduce((sum, each) => sum + each.present, one.present)];
    case 'citation_share':
      return [one.ownCitations, one.citations];
    case 'sentiment_index':
      return [one.positive - one.negative, one.positive + one.neutral + one.negative];
  }
}

interface Estimate {
  ratio: number;
  variance: number;
  groups: number;
  size: number;
}

export function estimateOf(metric: AnyMetric, { entity, parts }: Measured): Estimate {
  const isUnknown = metric === 'citation_share' && entity.domain === '';
  const estimate = estimateOfPairs(parts.map((each) => ratioOf(metric, each)));
  return isUnknown ? { ...estimate, groups: 0 } : estimate;
}

/** @param all What counts, of what, in each unit. */
function estimateOfPairs(all: [number, number][]): Estimate {
  const pairs = all.filter(([, of]) => of > 0);
  const size = pairs.reduce((sum, [, of]) => sum + of, 0);
  const ratio = pairs.reduce((sum, [count]) => sum + count, 0) / size;
  const groups = pairs.length;
  let squares = 0;
  for (const [count, of] of pairs) squares += ((count - ratio * of) / size) ** 2;
  return { ratio, variance: (squares * groups) / (groups - 1), groups, size };
}

/** The unrounded metric of the whole window; null: not measured. */
export function windowValue(metric: AnyMetric, { whole, entity }: Measured): number | null {
  const own = whole[0]!;
  if (metric === 'visibility') return visibility(own);
  if (metric === 'presence_rate') return presenceRate(own);
  if (metric === 'citation_share') return citationShare(own, entity);
  if (metric === 'sentiment_index') return sentimentIndex(own);
  return whole.some((each) => each.present > 0) ? shareOfVoice(own, whole) : null;
}

const ON_SCALE: Record<Unit, (ratio: number) => number> = {
  score_0_100: (ratio) => Math.min(100, Math.max(0, 100 * ratio)),
  index_0_100: (ratio) => Math.min(100, Math.max(0, 50 + 50 * ratio)),
  fraction_0_1: (ratio) => ratio,
};

export function expectedInterval(metric: AnyMetric, measured: Measured): ExpectedBounds {
  const estimate = estimateOf(metric, measured);
  if (estimate.groups < 4) return null;
  const { digits } = scaleOf(metric);
  return boundsOf(metric, measured, estimate).map((value) => {
    return isNearTie(value, digits) ? OPEN : roundTo(value, digits);
  }) as ExpectedBounds;
}

/** The interval of a share of whole numbers in each unit. */
export function shareInterval(pairs: [number, number][]): ExpectedBounds {
  const estimate = estimateOfPairs(pairs);
  if (estimate.groups < 4) return null;
  const { ratio, groups, size } = estimate;
  const isEnd = ratio === 0 || ratio === 1;
  const bounds = isEnd ? fromShare(ratio, Math.max(groups, size / 2)) : wilson(estimate);
  return bounds.map((value) => (isNearTie(value, 3) ? OPEN : roundTo(value, 3))) as ExpectedBounds;
}

/** On the scale of the metric. Where all observations are alike, those of a share, with two of them for a draw. */
function boundsOf(metric: AnyMetric, { whole }: Measured, estimate: Estimate): number[] {
  const { unit } = scaleOf(metric);
  const share = unit === 'index_0_100' ? (estimate.ratio + 1) / 2 : estimate.ratio;
  if (share === 0 || share === 1) {
    const draws = Math.max(estimate.groups, countsOf(metric, whole).of / 2);
    return fromShare(share, draws).map((bound) => (unit === 'fraction_0_1' ? bound : 100 * bound));
  }
  return (unit === 'fraction_0_1' ? wilson(estimate) : around(estimate)).map(ON_SCALE[unit]);
}

function around({ ratio, variance, groups }: Estimate): number[] {
  const radius = t95(groups - 1) * Math.sqrt(variance);
  return [ratio - radius, ratio + radius];
}

const z = 1.959964;

function wilson({ ratio, variance, groups, size }: Estimate): number[] {
  const allowed = (ratio * (1 - ratio)) / variance;
  return fromShare(ratio, variance === 0 ? size : Math.min(size, allowed * (z / t95(groups - 1)) ** 2));
}

/** The shares from which the measured one is exactly z standard errors of so many draws away, found by halving. */
function fromShare(ratio: number, draws: number): number[] {
  const isNear = (share: number) => draws * (ratio - share) ** 2 <= z * z * share * (1 - share);
  return [0, 1].map((end) => {
    let [far, near] = [end, ratio];
    for (let step = 0; step < 80; step += 1) {
      const middle = (far + near) / 2;
      if (isNear(middle)) near = middle;
      else far = middle;
    }
    return near;
  });
}

/** How many observations are the entity's, of how many. */
function countsOf(metric: AnyMetric, whole: Tallies): { own: number; of: number } {
  if (metric === 'visibility') return countsOf('presence_rate', whole);
  const [count, of] = ratioOf(metric, whole);
  return { own: metric === 'sentiment_index' ? of : count, of };
}

export function isSparse(metric: AnyMetric, { whole }: Measured): boolean {
  const { own, of } = countsOf(metric, whole);
  const isShare = metric !== 'visibility' && metric !== 'sentiment_index';
  return own < 5 || (isShare && of - own < 5);
}

/** The variance of the difference if every observation of both windows were drawn independently from all of them. */
export function leastVariance(metric: AnyMetric, windows: Measured[]): number {
  const drawn: { value: number; times: number }[] = [{ value: 1, times: 1 }];
  drawn.push({ value: metric === 'sentiment_index' ? -1 : 0, times: 1 });
  for (const { whole } of windows) {
    const { positive, neutral, negative, weightSum } = whole[0]!;
    const { own, of } = countsOf(metric, whole);
    if (metric === 'sentiment_index') {
      drawn.push({ value: 1, times: positive }, { value: 0, times: neutral }, { value: -1, times: negative });
      continue;
    }
    const ones = metric === 'visibility' ? weightSum / 1e9 : own;
    drawn.push({ value: 1, times: ones }, { value: 0, times: of - ones });
  }
  const count = drawn.reduce((sum, { times }) => sum + times, 0);
  const mean = drawn.reduce((sum, { value, times }) => sum + value * times, 0) / count;
  const spread = drawn.reduce((sum, { value, times }) => sum + (value - mean) ** 2 * times, 0) / count;
  return windows.reduce((sum, { whole }) => sum + spread / countsOf(metric, whole).of, 0);
}

/** Whether the prompts of both windows make up half of the runs of each. */
export function isSamePanel(now: RunRecord[], before: RunRecord[]): boolean {
  const holds = (some: RunRecord[], others: RunRecord[]) =>
    2 * some.filter(({ prompt }) => others.some((other) => other.prompt === prompt)).length >= some.length;
  return holds(now, before) && holds(before, now);
}

/** Whether the part of some surface differs by more than a fifth, even if the runs that state none were of the nearest one. */
export function isOtherMix(now: RunRecord[], before: RunRecord[]): boolean {
  const partsOf = (runs: RunRecord[], surface: string) => {
    const least = runs.filter((run) => run.surface === surface).length;
    return [least, least + runs.filter((run) => !run.surface).length] as const;
  };
  return ['api', 'ui', 'serp'].some((surface) => {
    const [[least, most], [leastBefore, mostBefore]] = [partsOf(now, surface), partsOf(before, surface)];
    const fifth = now.length * before.length;
    return (
      5 * (least * before.length - mostBefore * now.length) > fifth ||
      5 * (leastBefore * now.length - most * before.length) > fifth
    );
  });
}

export function expectedJudgement(metric: AnyMetric, now: Measured, before: Measured): ExpectedJudgement {
  const [current, previous] = [estimateOf(metric, now), estimateOf(metric, before)];
  if (
    current.groups < 4 ||
    previous.groups < 4 ||
    !isSamePanel(now.runs, before.runs) ||
    isOtherMix(now.runs, before.runs)
  )
    return { verdict: 'unknown', reason: WORDS };
  const difference = current.ratio - previous.ratio;
  const byDays = current.variance + previous.variance;
  const variance =
    isSparse(metric, now) || isSparse(metric, before)
      ? Math.max(byDays, leastVariance(metric, [now, before]))
      : byDays;
  const limit = t95(current.groups + previous.groups - 2) * Math.sqrt(variance);
  // Too close for the last bits of a sum.
  if (difference !== 0 && Math.abs(Math.abs(difference) - limit) < 1e-9)
    return { verdict: OPEN, reason: OPEN };
  if (Math.abs(difference) <= limit) return { verdict: 'no_clear_change', reason: null };
  return { verdict: difference > 0 ? 'up' : 'down', reason: null };
}

export function expectedChange(metric: AnyMetric, now: Measured, before: Measured): ExpectedChange {
  const [current, previous] = [windowValue(metric, now), windowValue(metric, before)];
  return {
    previous: previous === null ? null : roundTo(previous, scaleOf(metric).digits),
    delta: current === null || previous === null ? null : changeOf(scaleOf(metric), current, previous),
    difference: differenceOf(scaleOf(metric), current, previous),
    ...expectedJudgement(metric, now, before),
  };
}

type Each<T> = Partial<Record<AnyMetric, T>>;

/** The objects `intervals` and `change` of a row with these metrics. */
export function expectedUncertainty(metrics: readonly AnyMetric[], now: Measured, before: Measured) {
  const each = <T>(of: (metric: AnyMetric) => T) =>
    Object.fromEntries(metrics.map((metric) => [metric, of(metric)])) as Each<T>;
  return {
    intervals: {
      level: 0.95,
      unit: now.isWeekly ? 'week' : 'day',
      ...each((metric) => expectedInterval(metric, now)),
    },
    change: {
      previous_run_count: before.runs.length,
      ...each((metric) => expectedChange(metric, now, before)),
    },
  };
}
