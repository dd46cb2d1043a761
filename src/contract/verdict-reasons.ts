/** Why there is no verdict: the sentence about too few days, written by the server and read by whoever says when the first verdict comes. */
import { type IntervalUnit, LEAST_UNITS } from './measures.js';

/** The days or weeks with a denominator in a window and in the one before. */
export interface MeasuredUnits {
  readonly unit: IntervalUnit;
  readonly now: number;
  readonly before: number;
}

export const tooFewUnits = ({ unit, now, before }: MeasuredUnits): string =>
  `Measured ${unit === 'day' ? 'on' : 'in'} ${now} ${unit}${now === 1 ? '' : 's'} of this window and ${before} of the one before; a verdict needs ${LEAST_UNITS} of each.`;

const WRITTEN = /^Measured (?:on|in) (\d+) (day|week)s? of this window and (\d+) of the one before;/;

/** The units that such a sentence states; null for every other reason. */
export function unitsIn(reason: string): MeasuredUnits | null {
  const [, now, unit, before] = WRITTEN.exec(reason) ?? [];
  return unit === undefined ? null : { unit: unit as IntervalUnit, now: Number(now), before: Number(before) };
}
