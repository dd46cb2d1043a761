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

const scaleOf = (metric: Metric) => SCALES[metric];

/** The runs of a window, all of which count. */
export interface Collected {
  window: Window;
  runs: RunRecord[];
}

/** Tallies of every tracked entity, the one in question first. */
type Tallies = Tally[];

/** One entity over one window: all of it, and day by day. A day is its place in the window. */
export interface Measured {
  entity: Entity;
  runs: RunRecord[];
  lag: number;
  whole: Tallies;
  parts: { day: number; tallies: Tallies }[];
}

export function runsByDay(runs: RunRecord[]): Map<string, RunRecord[]> {
  const days = new Map<string, RunRecord[]>();
  for (const run of runs) {
    const day = dayOf(run.collected_at);
    days.set(day, [...(days.get(day) ?? []), run]);
  }
  return days;
}

/** How many days apart days of a window say nothing about each other. */
export const lagOf = (window: Window): number => (daysOf(window).length >= 28 ? 7 : 1);

/** Tallies the runs of a window once, for any entity. */
export function measuredIn(
  { window, runs }: Collected,
  tracked: Entity[],
  rules: UrlRules,
): (entity: Entity) => Measured {
  const tallies = (some: RunRecord[]) => tracked.map((each) => tally(some, each, rules));
  const whole = tallies(runs);
  const byDay = runsByDay(runs);
  const parts = daysOf(window).flatMap((date, day) => {
    const some = byDay.get(date);
    return some ? [{ day, tallies: tallies(some) }] : [];
  });
  return (entity) => {
    const at = tracked.indexOf(entity);
    const ownFirst = (all: Tallies) => [all[at]!, ...all.filter((_, other) => other !== at)];
    return {
      entity,
      runs,
      lag: lagOf(window),
      whole: ownFirst(whole),
      parts: parts.map((part) => ({ day: part.day, tallies: ownFirst(part.tallies) })),
    };
  };
}

/** What a metric counts, of what. */
export function ratioOf(metric: Metric, [own, ...others]: Tallies): [number, number] {
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

export interface Estimate {
  ratio: number;
  variance: number;
  /** Degrees of freedom. */
  freedom: number;
  /** Whether they allow an interval. */
  isEnough: boolean;
  groups: number;
  size: number;
}

export function estimateOf(metric: Metric, { entity, parts, lag }: Measured): Estimate {
  const isUnknown = metric === 'citation_share' && entity.domain === '';
  const days = parts.map(({ day, tallies }): DayCount => [day, ...ratioOf(metric, tallies)]);
  const estimate = estimateOfDays(days, lag);
  return isUnknown ? { ...estimate, isEnough: false } : estimate;
}

/** A day, what counts on it, of what. */
export type DayCount = [day: number, count: number, of: number];

/** By the weights of Bartlett between every two days. */
export function estimateOfDays(all: DayCount[], lag: number): Estimate {
  const days = all.filter(([, , of]) => of > 0);
  const size = days.reduce((sum, [, , of]) => sum + of, 0);
  const ratio = days.reduce((sum, [, count]) => sum + count, 0) / size;
  const groups = days.length;
  let [products, weights, squares] = [0, 0, 0];
  for (const [i, count, of] of days)
    for (const [j, otherCount, otherOf] of days) {
      const w = Math.max(0, 1 - Math.abs(i - j) / lag);
      products += (w * (count - ratio * of) * (otherCount - ratio * otherOf)) / size ** 2;
      weights += w;
      squares += w * w;
    }
  const variance = Math.max(0, products / (1 - weights / groups ** 2));
  const freedom = groups ** 2 / squares - 1;
  return { ratio, variance, freedom, isEnough: freedom > 3 - 1e-9, groups, size };
}

/** The unrounded metric of the whole window; null: not measured. */
export function windowValue(metric: Metric, { whole, entity }: Measured): number | null {
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

export function expectedInterval(metric: Metric, measured: Measured): ExpectedBounds {
  const estimate = estimateOf(metric, measured);
  if (!estimate.isEnough) return null;
  const { digits } = scaleOf(metric);
  return boundsOf(metric, measured, estimate).map((value) => {
    return isNearTie(value, digits) ? OPEN : roundTo(value, digits);
  }) as ExpectedBounds;
}

/** The interval of a share of whole numbers on each day. */
export function shareInterval(days: DayCount[], lag: number): ExpectedBounds {
  const estimate = estimateOfDays(days, lag);
  if (!estimate.isEnough) return null;
  const { ratio, groups, size } = estimate;
  const isEnd = ratio === 0 || ratio === 1;
  const bounds = isEnd ? fromShare(ratio, Math.max(groups, size / 2)) : wilson(estimate);
  return bounds.map((value) => (isNearTie(value, 3) ? OPEN : roundTo(value, 3))) as ExpectedBounds;
}

/** On the scale of the metric. Where all observations are alike, those of a share, with two of them for a draw. */
function boundsOf(metric: Metric, { whole }: Measured, estimate: Estimate): number[] {
  const { unit } = scaleOf(metric);
  const share = unit === 'index_0_100' ? (estimate.ratio + 1) / 2 : estimate.ratio;
  if (share === 0 || share === 1) {
    const draws = Math.max(estimate.groups, countsOf(metric, whole).of / 2);
    return fromShare(share, draws).map((bound) => (unit === 'fraction_0_1' ? bound : 100 * bound));
  }
  return (unit === 'fraction_0_1' ? wilson(estimate) : around(estimate)).map(ON_SCALE[unit]);
}

function around({ ratio, variance, freedom }: Estimate): number[] {
  const radius = t95(freedom) * Math.sqrt(variance);
  return [ratio - radius, ratio + radius];
}

const z = 1.959964;

function wilson({ ratio, variance, freedom, size }: Estimate): number[] {
  const allowed = (ratio * (1 - ratio)) / variance;
  return fromShare(ratio, variance === 0 ? size : Math.min(size, allowed * (z / t95(freedom)) ** 2));
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
function countsOf(metric: Metric, whole: Tallies): { own: number; of: number } {
  if (metric === 'visibility') return countsOf('presence_rate', whole);
  const [count, of] = ratioOf(metric, whole);
  return { own: metric === 'sentiment_index' ? of : count, of };
}

export function isSparse(metric: Metric, { whole }: Measured): boolean {
  const { own, of } = countsOf(metric, whole);
  const isShare = metric !== 'visibility' && metric !== 'sentiment_index';
  return own < 5 || (isShare && of - own < 5);
}

/** The variance of the difference if every observation of both windows were drawn independently from all of them. */
export function leastVariance(metric: Metric, windows: Measured[]): number {
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

export function expectedJudgement(metric: Metric, now: Measured, before: Measured): ExpectedJudgement {
  const [current, previous] = [estimateOf(metric, now), estimateOf(metric, before)];
  if (
    !current.isEnough ||
    !previous.isEnough ||
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
  const limit = t95(current.freedom + previous.freedom) * Math.sqrt(variance);
  // Too close for the last bits of a sum.
  if (difference !== 0 && Math.abs(Math.abs(difference) - limit) < 1e-9)
    return { verdict: OPEN, reason: OPEN };
  if (Math.abs(difference) <= limit) return { verdict: 'no_clear_change', reason: null };
  return { verdict: difference > 0 ? 'up' : 'down', reason: null };
}

export function expectedChange(metric: Metric, now: Measured, before: Measured): ExpectedChange {
  const [current, previous] = [windowValue(metric, now), windowValue(metric, before)];
  return {
    previous: previous === null ? null : roundTo(previous, scaleOf(metric).digits),
    delta: current === null || previous === null ? null : changeOf(scaleOf(metric), current, previous),
    difference: differenceOf(scaleOf(metric), current, previous),
    ...expectedJudgement(metric, now, before),
  };
}

type Each<T> = Partial<Record<Metric, T>>;

/** The objects `intervals` and `change` of a row with these metrics. */
export function expectedUncertainty(metrics: readonly Metric[], now: Measured, before: Measured) {
  const each = <T>(of: (metric: Metric) => T) =>
    Object.fromEntries(metrics.map((metric) => [metric, of(metric)])) as Each<T>;
  return {
    intervals: {
      level: 0.95,
      unit: 'day',
      ...each((metric) => expectedInterval(metric, now)),
    },
    change: {
      previous_run_count: before.runs.length,
      ...each((metric) => expectedChange(metric, now, before)),
    },
  };
}
