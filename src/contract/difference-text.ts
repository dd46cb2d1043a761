/**
 * How a change of a metric is written for people, on every face: `+3.2 points`, `−1.5 pp`. Formats for programs have the exact
 * number instead, with a hyphen for the minus sign.
 */
import { differenceUnits, type RatioMetric, ratioMetrics } from './metrics.js';

/** U+2212, as wide as a plus. */
export const MINUS = '−';

/** A number with the minus sign of people. */
export const withMinus = (number: number): string => String(number).replace('-', MINUS);

const DIGITS = 1;
const LEAST = 10 ** -DIGITS;

/** A number with its sign: `+3.2`, `−0.4`, `±0.0`. */
const signed = (number: number): string => {
  const digits = Math.abs(number).toFixed(DIGITS);
  if (Number(digits) === 0) return `±${digits}`;
  return `${number < 0 ? MINUS : '+'}${digits}`;
};

/** Fractions are shown as percentages. */
const shown = (metric: RatioMetric, difference: number): number =>
  ratioMetrics[metric].unit === 'fraction_0_1' ? 100 * difference : difference;

const unitOf = (metric: RatioMetric): string => differenceUnits[ratioMetrics[metric].unit];

/** The difference with its sign and unit: `+3.2 points`, `−1.5 pp`. */
export const differenceText = (metric: RatioMetric, difference: number): string =>
  `${signed(shown(metric, difference))} ${unitOf(metric)}`;

/** The difference without its sign, for sentences that name the direction: `3.2 points`. One that moved is not 0. */
export function amountText(metric: RatioMetric, difference: number): string {
  const amount = Math.abs(shown(metric, difference)).toFixed(DIGITS);
  return `${Number(amount) === 0 ? `less than ${LEAST}` : amount} ${unitOf(metric)}`;
}

/** The difference of a metric that moved, which is not 0. */
export const moveText = (metric: RatioMetric, difference: number): string =>
  Number(shown(metric, difference).toFixed(DIGITS)) === 0
    ? amountText(metric, difference)
    : differenceText(metric, difference);

/** The field `delta` of the contract, for those who ask for it: relative, in percent, where it is relative. */
export const deltaText = (metric: RatioMetric, delta: number): string =>
  ratioMetrics[metric].deltaUnit === 'relative_pct' ? `${signed(delta)} %` : differenceText(metric, delta);
