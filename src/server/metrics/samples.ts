/** What was measured of one entity in one window: its sums, and the same divided into days or weeks. */
import {
  type EntitySums,
  type IntervalUnit,
  type MeasuredSums,
  type Sums,
  WEEKLY_FROM_DAYS,
  WEIGHT_UNIT,
  type WindowSums,
} from '../../contract/measures.js';
import { daysBetween, daysIn, type Window } from '../days.js';

export interface Sample extends MeasuredSums {
  readonly unit: IntervalUnit;
  /** The sums of each day or week with runs. */
  readonly units: readonly Sums[];
}

export const NO_RUNS: WindowSums = { runs: 0, citations: 0, presences: 0 };
export const NO_SUMS: EntitySums = {
  present: 0,
  positionSum: 0,
  weightSum: 0,
  positive: 0,
  neutral: 0,
  negative: 0,
  citations: 0,
};

/** The addend of a mention at this 1-based rank in `weightSum`. The roll-ups compute the same in SQL. */
export const positionWeight = (order: number): number => Math.round(WEIGHT_UNIT / Math.log2(1 + order));

/** Days are autocorrelated, which matters in a long window: there weeks take their place. */
export const unitOf = (window: Window): IntervalUnit => (daysIn(window) < WEEKLY_FROM_DAYS ? 'day' : 'week');

export const DAYS_OF = { day: 1, week: 7 } as const satisfies Record<IntervalUnit, number>;

/** The number of the day or week of a window that a day is in, counted back from its end. */
export const unitAt = (window: Window, day: string): number =>
  Math.floor(daysBetween(day, window.end) / DAYS_OF[unitOf(window)]);

type OfDay = { readonly day: string };

/**
 * Divides the sums of an entity. Weeks are counted back from the end of the window.
 * @param days The totals of days; those outside the window are ignored.
 * @param entityDays The sums of the entity by day. A day without them has none.
 */
export function sampleOf(
  window: Window,
  days: readonly (WindowSums & OfDay)[],
  entityDays: ReadonlyMap<string, EntitySums>,
  hasDomain: boolean,
): Sample {
  const unit = unitOf(window);
  const units = new Map<number, Sums>();
  for (const totals of days) {
    const { day } = totals;
    if (day < window.start || day > window.end) continue;
    const at = unitAt(window, day);
    units.set(at, added(units.get(at), { totals, entity: entityDays.get(day) ?? NO_SUMS }));
  }
  const each = [...units.values()];
  const whole = each.reduce(added, { totals: NO_RUNS, entity: NO_SUMS });
  return { ...whole, unit, hasDomain, units: each };
}

export const added = (a: Sums | undefined, b: Sums): Sums =>
  a === undefined
    ? b
    : { totals: addWindowSums(a.totals, b.totals), entity: addEntitySums(a.entity, b.entity) };

export const addEntitySums = (a: EntitySums, b: EntitySums): EntitySums => ({
  present: a.present + b.present,
  positionSum: a.positionSum + b.positionSum,
  weightSum: a.weightSum + b.weightSum,
  positive: a.positive + b.positive,
  neutral: a.neutral + b.neutral,
  negative: a.negative + b.negative,
  citations: a.citations + b.citations,
});

const addWindowSums = (a: WindowSums, b: WindowSums): WindowSums => ({
  runs: a.runs + b.runs,
  citations: a.citations + b.citations,
  presences: a.presences + b.presences,
});
