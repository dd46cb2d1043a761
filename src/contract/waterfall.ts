/** A change from before to after in steps: what a waterfall draws, and the reasons in one line. */
import { moveText } from './measures.js';
import type { Driver, Why } from './reads/why.js';

export interface WaterfallStep {
  /** What the step is: a level that is measured, a driver, or all cells that have no step of their own. */
  readonly kind: 'before' | 'driver' | 'rest' | 'after';
  readonly driver?: Driver;
  /** Cells of `rest`. */
  readonly cells?: number;
  /** Of a level, `from` is the end of the axis. */
  readonly from: number;
  readonly to: number;
  /** How much the step changes the metric, in its unit; of a level, its value. */
  readonly amount: number;
}

export interface Waterfall {
  readonly steps: readonly WaterfallStep[];
  /** The ends of the axis, which need not begin at 0: a change is small beside its level. */
  readonly low: number;
  readonly high: number;
}

/** Room below the lowest level, as a part of the range. */
const ROOM = 0.15;

/**
 * The steps of a change. @param most The drivers with a step of their own.
 * @returns Null: not measured, or the parts overlap.
 */
export function waterfallOf(why: Why, most: number): Waterfall | null {
  const { before, after, drivers, rest, parts } = why;
  if (before === null || after === null || rest.total === null || parts === null) return null;
  const shown = drivers.slice(0, most);
  const left = drivers.slice(most);
  // By page the drivers are only a part of the change: the others are what else was cited.
  const others = why.by === 'page' ? (parts.others ?? 0) : 0;
  const remaining = left.reduce((sum, { total }) => sum + total, rest.total) + others;
  const cells = left.length + rest.count;
  let at = before;
  const steps: Omit<WaterfallStep, 'from'>[] = shown.map((driver) => {
    at += driver.total;
    return { kind: 'driver', driver, to: at, amount: driver.total };
  });
  if (cells > 0 || others !== 0) steps.push({ kind: 'rest', cells, to: at + remaining, amount: remaining });
  const levels = [before, after, ...steps.map(({ to }) => to)];
  const [least, high] = [Math.min(...levels), Math.max(...levels)];
  const low = least - ROOM * (high - least || Math.abs(high) || 1);
  const starts = [before, ...steps.map(({ to }) => to)];
  return {
    ...{ low, high: high === low ? low + 1 : high },
    steps: [
      { kind: 'before', from: low, to: before, amount: before },
      ...steps.map((step, index) => ({ ...step, from: starts[index]! })),
      { kind: 'after', from: low, to: after, amount: after },
    ],
  };
}

/** Drivers that changed by more than chance explains, on the side of the change. */
export function reasonsOf({ drivers, difference }: Pick<Why, 'drivers' | 'difference'>): Driver[] {
  const moved = drivers.filter(({ verdict }) => verdict === 'up' || verdict === 'down');
  return moved.filter(({ total }) => Math.sign(total) === Math.sign(difference ?? 0));
}

/** Reasons that one line names. */
const NAMED = 3;

/** Reasons that make up less than this part of a change explain it only in part. */
const WHOLE = 0.5;

/**
 * `Because of best espresso machine? (−2.4 points), AI Mode (−1.1 points).`, or `In part because of …`; null: nothing is known to
 * be a reason.
 */
export function becauseOf(why: Pick<Why, 'metric' | 'drivers' | 'difference'>): string | null {
  const reasons = reasonsOf(why);
  if (reasons.length === 0) return null;
  const named = reasons.slice(0, NAMED).map(({ name, total }) => `${name} (${moveText(why.metric, total)})`);
  const more = reasons.length - named.length;
  const explained = reasons.reduce((sum, { total }) => sum + total, 0);
  const isWhole = Math.abs(explained) >= WHOLE * Math.abs(why.difference ?? 0);
  const words = named.join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${isWhole ? 'Because of' : 'In part because of'} ${words}.`;
}
