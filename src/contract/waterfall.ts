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
  const low = Math.max(0, least - ROOM * (high - least || Math.abs(high) || 1));
  const starts = [before, ...steps.map(({ to }) => to)];
  return {
    low,
    high: high === low ? low + 1 : high,
    steps: [
      { kind: 'before', from: low, to: before, amount: before },
      ...steps.map((step, index) => ({ ...step, from: starts[index]! })),
      { kind: 'after', from: low, to: after, amount: after },
    ],
  };
}

const isMove = (verdict: Driver['verdict']): boolean => verdict === 'up' || verdict === 'down';

/** Reasons that one line names. */
const NAMED = 3;

/** Reasons that make up less than this part of a change explain it only in part. */
const WHOLE = 0.5;

/** A smaller part of the change is not named where no test says which parts are chance. */
const LEAST_PART = 0.1;

const askedPart = ({ mix, panel }: Pick<Driver, 'mix' | 'panel'>): number => (mix ?? 0) + (panel ?? 0);

/** Whether more of the change is because of what was asked than because answers changed. */
export const isMostlyAsked = (parts: Pick<Driver, 'rate' | 'mix' | 'panel'> | null): boolean =>
  parts !== null && parts.rate !== null && Math.abs(askedPart(parts)) > Math.abs(parts.rate);

/** What of a driver was other than before, if not its answers. */
function askedWords({ kind, weight_before, weight_after }: Cell): string {
  if (kind !== 'both') return kind === 'new' ? 'new' : 'not asked any more';
  return weight_after > weight_before ? 'asked more often' : 'asked less often';
}

/** Reasons in words, the largest first, and how much of the change they are. */
interface Reasons {
  readonly named: readonly string[];
  readonly explained: number;
}

/** A driver, whether or not answers to it were looked up. */
type Cell = Omit<Driver, 'evidence'>;

interface Explained extends Pick<Why, 'metric' | 'difference' | 'verdict' | 'parts'> {
  readonly drivers: readonly Cell[];
}

/** What was asked, where that is most of the change: a fact, so that no driver needs a verdict. */
function askedReasons({ metric, drivers, difference, parts }: Explained): Reasons | null {
  if (!isMostlyAsked(parts)) return null;
  const parted = drivers.map((driver) => ({ driver, part: askedPart(driver) }));
  const asked = parted
    .filter(({ part }) => part * (difference ?? 0) > LEAST_PART * (difference ?? 0) ** 2)
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  return {
    named: asked.map(
      ({ driver, part }) => `${driver.name} (${askedWords(driver)}, ${moveText(metric, part)})`,
    ),
    explained: askedPart(parts!),
  };
}

/** Drivers whose answers changed by more than chance explains. */
function changedReasons(metric: Why['metric'], drivers: readonly Cell[]): Reasons {
  const reasons = drivers.filter(({ verdict }) => isMove(verdict));
  return {
    named: reasons.map(({ name, total }) => `${name} (${moveText(metric, total)})`),
    explained: reasons.reduce((sum, { total }) => sum + total, 0),
  };
}

/** Twice as far from 0 as its verdict needs: among drivers of noise, one in ten answers has a verdict. */
const isFarFromChance = ({ interval }: Cell): boolean =>
  interval !== null && Math.abs(interval[0] + interval[1]) >= 2 * (interval[1] - interval[0]);

/**
 * `Because of best espresso machine? (−2.4 points), AI Mode (−1.1 points).`, or `In part because of …`; where the change itself may be
 * chance, what changed anyway. Null: nothing is known to be a reason.
 */
export function becauseOf(why: Explained): string | null {
  const { metric, drivers, verdict } = why;
  const difference = why.difference ?? 0;
  const onItsSide = drivers.filter(({ total }) => Math.sign(total) === Math.sign(difference));
  const { named, explained } = isMove(verdict)
    ? (askedReasons(why) ?? changedReasons(metric, onItsSide))
    : changedReasons(metric, drivers.filter(isFarFromChance));
  if (named.length === 0) return null;
  const more = named.length - NAMED;
  const words = named.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  if (!isMove(verdict)) return `Changed by more than chance anyway: ${words}.`;
  const isWhole = Math.abs(explained) >= WHOLE * Math.abs(difference);
  return `${isWhole ? 'Because of' : 'In part because of'} ${words}.`;
}
