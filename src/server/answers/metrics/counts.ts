/** How certain a count of visits is: a Poisson count whose days may vary more than that. */
import { isEnough } from '../../../contract/enough-days.js';
import type { Verdict } from '../../../contract/measures.js';
import { INTERVAL_LEVEL } from '../../../contract/measures.js';
import { logGamma, studentQuantile } from './student.js';

const MAX_TERMS = 10_000;
const TINY = 1e-300;

/**
 * P(a, x), the lower incomplete gamma function divided by Γ(a): by its series (M. Abramowitz, I. A. Stegun, Handbook of
 * Mathematical Functions, 1964, 6.5.29) below the mean, by the continued fraction of 1 − P (6.5.31) above it.
 */
export function gammaProbability(a: number, x: number): number {
  if (x <= 0) return 0;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? front * gammaSeries(a, x) : 1 - front * gammaFraction(a, x);
}

function gammaSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < MAX_TERMS && term > sum * Number.EPSILON; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** The continued fraction of the incomplete gamma function, by the method of W. J. Lentz (1976). */
function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n < MAX_TERMS; n += 1) {
    b += 2;
    d = 1 / (n * (a - n) * d + b || TINY);
    c = b + (n * (a - n)) / c || TINY;
    value *= c * d;
    if (Math.abs(c * d - 1) < Number.EPSILON) break;
  }
  return value;
}

/** The x with P(a, x) = p, by bisection: P grows with x. */
function gammaQuantile(a: number, p: number): number {
  let [low, high] = [0, a + 1];
  while (gammaProbability(a, high) < p) high *= 2;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (gammaProbability(a, middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const TAIL = (1 - INTERVAL_LEVEL) / 2;

/** The exact interval of a Poisson count (F. Garwood, Fiducial Limits for the Poisson Distribution, 1936). */
export const poissonInterval = (counted: number): [low: number, high: number] => [
  counted === 0 ? 0 : gammaQuantile(counted, TAIL),
  gammaQuantile(counted + 1, 1 - TAIL),
];

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** The sum of the squares of what the days of a window are off their mean, by their mean. */
function spread(days: readonly number[]): number {
  const mean = sum(days) / days.length;
  return mean === 0 ? 0 : sum(days.map((value) => (value - mean) ** 2 / mean));
}

/**
 * How much more the counts of days vary than Poisson counts, at least 1 (P. McCullagh, J. A. Nelder, Generalized Linear
 * Models, 1989, 6.2.3).
 */
const dispersionOf = (windows: readonly (readonly number[])[], freedom: number): number =>
  Math.max(1, sum(windows.map(spread)) / freedom);

/** The interval of a count. @param days The counts of finished days. Null: on too few days. */
export function countInterval(counted: number, days: readonly number[]): [number, number] | null {
  const freedom = days.length - 1;
  if (!isEnough(freedom)) return null;
  const dispersion = dispersionOf([days], freedom);
  return poissonInterval(counted / dispersion).map((bound) => bound * dispersion) as [number, number];
}

/** What the count of a day did. @param now, before The counts of the finished days of both windows. */
export function countVerdict(now: readonly number[], before: readonly number[]): Verdict {
  const freedom = now.length + before.length - 2;
  if (now.length === 0 || before.length === 0 || !isEnough(freedom)) return 'unknown';
  const d = now.length / before.length;
  const [a, b] = [sum(now), sum(before)];
  const z = (2 * (Math.sqrt(a + 3 / 8) - Math.sqrt(d * (b + 3 / 8)))) / Math.sqrt(1 + d);
  if (Math.abs(z) <= Math.sqrt(dispersionOf([now, before], freedom)) * studentQuantile(freedom))
    return 'no_clear_change';
  return z > 0 ? 'up' : 'down';
}
