/** What was measured of one entity in one window: its sums, and those of each day. */
import { relatedWithin } from '../../../contract/enough-days.js';
import {
  type EntitySums,
  type MeasuredSums,
  type Sums,
  WEIGHT_UNIT,
  type WindowSums,
} from '../../../contract/measures.js';
import { daysBetween, daysIn, type Window } from '../../base/days.js';

export interface MeasuredDay extends Sums {
  /** Days before the end of its window. */
  readonly ago: number;
}

export interface Sample extends MeasuredSums {
  /** Days less than so many apart are related. */
  readonly related: number;
  /** The days with runs. */
  readonly days: readonly MeasuredDay[];
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
const NOTHING: Sums = { totals: NO_RUNS, entity: NO_SUMS };

/** The addend of a mention at this 1-based rank in `weightSum`. The roll-ups compute the same in SQL. */
export const positionWeight = (order: number): number => Math.round(WEIGHT_UNIT / Math.log2(1 + order));

/** How many days apart days of this window, and of the one before, are not related any more. */
export const relatedIn = (window: Window): number => relatedWithin(daysIn(window));

type OfDay = { readonly day: string };

/** The first days of which an entity is measured, and its citations are; null: all. */
export interface MeasuredSince {
  readonly measuredSince: string | null;
  readonly citedSince: string | null;
}

/** What of the sums of a day was measured of the entity. Citations are found by domain, whatever names were looked for. */
export function measuredOn(day: string, { totals, entity }: Sums, since: MeasuredSince | undefined): Sums {
  const isBefore = (first: string | null | undefined) => first != null && day < first;
  const isCited = !isBefore(since?.citedSince);
  if (!isBefore(since?.measuredSince) && isCited) return { totals, entity };
  const named = isBefore(since?.measuredSince) ? NOTHING : { totals, entity };
  return {
    totals: { ...named.totals, citations: isCited ? totals.citations : 0 },
    entity: { ...named.entity, citations: isCited ? entity.citations : 0 },
  };
}

/**
 * The sums of an entity.
 * @param days The totals of days, each once; those outside the window are ignored.
 * @param entityDays The sums of the entity by day. A day without them has none.
 * @param since If omitted, the entity is measured on every day.
 */
export function sampleOf(
  window: Window,
  days: readonly (WindowSums & OfDay)[],
  entityDays: ReadonlyMap<string, EntitySums>,
  hasDomain: boolean,
  since?: MeasuredSince,
): Sample {
  const measured = days
    .filter(({ day }) => day >= window.start && day <= window.end)
    .map((totals) => ({
      ago: daysBetween(totals.day, window.end),
      ...measuredOn(totals.day, { totals, entity: entityDays.get(totals.day) ?? NO_SUMS }, since),
    }));
  return sampleOfDays(measured, { related: relatedIn(window), hasDomain });
}

export const sampleOfDays = (
  days: readonly MeasuredDay[],
  { related, hasDomain }: Pick<Sample, 'related' | 'hasDomain'>,
): Sample => ({ ...days.reduce(added, NOTHING), related, hasDomain, days });

export const added = (a: Sums, b: Sums): Sums => ({
  totals: addWindowSums(a.totals, b.totals),
  entity: addEntitySums(a.entity, b.entity),
});

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
