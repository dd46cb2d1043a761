/** The values of measures as reads state them: rounded, and their changes. Null, not measured, stays null. */
import {
  type MeasuredSums,
  type MeasureName,
  measureOf,
  measureValue,
  ratioOf,
  scaleOf,
} from '../../../contract/measures.js';

/** Rounds half up at `digits` decimals. */
export function round(value: number, digits: number): number;
export function round(value: number | null, digits: number): number | null;
export function round(value: number | null, digits: number): number | null {
  if (value === null) return null;
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

/** Rounds halves away from zero, so that a fall rounds like a rise of the same size. Never returns −0. */
const signedRound = (value: number, digits: number): number =>
  value < 0 ? 0 - round(-value, digits) : round(value, digits);

/** The value with the decimals of its scale. */
export function roundedValue(name: MeasureName, value: number): number;
export function roundedValue(name: MeasureName, value: number | null): number | null;
export function roundedValue(name: MeasureName, value: number | null): number | null {
  return round(value, scaleOf(name).digits);
}

/** The measures of an entity, unrounded. */
export const valuesOf = <M extends MeasureName>(names: readonly M[], sums: MeasuredSums) =>
  Object.fromEntries(names.map((name) => [name, measureValue(name, sums)])) as Record<M, number | null>;

type Scores<M extends MeasureName> = Record<M | 'share_of_voice', number | null>;

/** The measures of an entity as fields of a read. */
export function scoresOf<M extends MeasureName>(names: readonly M[], sums: MeasuredSums): Scores<M> {
  const fields = names.flatMap((name) => {
    const { unrounded, percentage, ofNothing = null } = measureOf(name);
    const none = sums.totals.runs > 0 ? ofNothing : null;
    const value = measureValue(name, sums) ?? none;
    const stated = [name, unrounded ? value : roundedValue(name, value)] as const;
    return percentage === undefined
      ? [stated]
      : [[percentage, percentageOf(name, sums) ?? none] as const, stated];
  });
  return Object.fromEntries(fields) as Scores<M>;
}

/** Divided only once, so that a tie rounds like the exact ratio. */
function percentageOf(name: MeasureName, sums: MeasuredSums): number | null {
  const { numerator, denominator } = ratioOf(name, sums);
  return denominator === 0 ? null : round((100 * numerator) / denominator, 1);
}

/** Now − before in the unit of the measure, from unrounded values. Null if a window was not measured. */
export const differenceOf = (
  name: MeasureName,
  current: number | null,
  previous: number | null,
): number | null =>
  current === null || previous === null ? null : signedRound(current - previous, scaleOf(name).digits);

/** Now − before as the released field `delta` has it: in percent of before for visibility, null if that is zero; else the difference. */
export function deltaOf(name: MeasureName, current: number | null, previous: number | null): number | null {
  const { deltaUnit, digits } = scaleOf(name);
  if (deltaUnit !== 'relative_pct') return differenceOf(name, current, previous);
  if (current === null || previous === null || previous === 0) return null;
  return signedRound((100 * (current - previous)) / previous, digits);
}
