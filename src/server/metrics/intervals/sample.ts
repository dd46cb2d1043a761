/** What was measured of one entity in one window: its sums, and the same divided into days or weeks. */
import { type IntervalUnit, type MeasureName, WEEKLY_FROM_DAYS } from '../../../contract/measures.js';
import { daysBetween, daysIn, type Window } from '../../days.js';
import { type EntitySums, NO_SUMS, WEIGHT_UNIT, type WindowSums } from '../entity-metrics.js';
import { addEntitySums, addWindowSums, NO_RUNS } from '../sums.js';
import { estimateRatio, type RatioEstimate, type RatioSums } from './ratio.js';

export interface Sums {
  readonly totals: WindowSums;
  readonly entity: EntitySums;
}

export interface Sample extends Sums {
  readonly unit: IntervalUnit;
  readonly hasDomain: boolean;
  /** The sums of each day or week with runs. */
  readonly units: readonly Sums[];
}

/** Days are autocorrelated, which matters in a long window: there weeks take their place. */
export const unitOf = (window: Window): IntervalUnit => (daysIn(window) < WEEKLY_FROM_DAYS ? 'day' : 'week');

const DAYS_OF = { day: 1, week: 7 } as const satisfies Record<IntervalUnit, number>;

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
    const at = Math.floor(daysBetween(day, window.end) / DAYS_OF[unit]);
    units.set(at, added(units.get(at), { totals, entity: entityDays.get(day) ?? NO_SUMS }));
  }
  const each = [...units.values()];
  const whole = each.reduce(added, { totals: NO_RUNS, entity: NO_SUMS });
  return { ...whole, unit, hasDomain, units: each };
}

const added = (a: Sums | undefined, b: Sums): Sums =>
  a === undefined
    ? b
    : { totals: addWindowSums(a.totals, b.totals), entity: addEntitySums(a.entity, b.entity) };

/** The estimate of a metric; null: no unit has a denominator, or the entity has no domain to be cited. */
export function estimateOf(metric: MeasureName, { units, hasDomain }: Sample): RatioEstimate | null {
  if (metric === 'citation_share' && !hasDomain) return null;
  const one = metric === 'visibility' ? WEIGHT_UNIT : 1;
  return estimateRatio(
    units.map(({ totals, entity }) => ratioSums[metric](entity, totals)),
    one,
  );
}

/** The least ratio that a metric can have; the largest is 1. */
export const lowestRatio: Readonly<Record<MeasureName, 0 | -1>> = {
  visibility: 0,
  presence_rate: 0,
  share_of_voice_fraction: 0,
  citation_share: 0,
  sentiment_index: -1,
};

/** The metrics as ratios, in whole numbers. Their scales are left to `metrics.ts`. */
const ratioSums: Record<MeasureName, (entity: EntitySums, totals: WindowSums) => RatioSums> = {
  visibility: ({ weightSum }, { runs }) => ({ numerator: weightSum, denominator: WEIGHT_UNIT * runs }),
  presence_rate: ({ present }, { runs }) => ({ numerator: present, denominator: runs }),
  share_of_voice_fraction: ({ present }, { presences }) => ({ numerator: present, denominator: presences }),
  citation_share: (entity, { citations }) => ({ numerator: entity.citations, denominator: citations }),
  sentiment_index: ({ positive, neutral, negative }) => ({
    numerator: positive - negative,
    denominator: positive + neutral + negative,
  }),
};
