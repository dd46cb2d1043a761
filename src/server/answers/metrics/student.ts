/**
 * Student's t distribution with any number of degrees of freedom, by the incomplete beta function: |t| exceeds a value T with
 * probability I(ν / (ν + T²); ν / 2, 1 / 2) (M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.7.1).
 */
import { LRUCache } from 'lru-cache';
import { INTERVAL_LEVEL } from '../../../contract/measures.js';

/** From here on the series of Stirling has the precision of a double. */
const STIRLING_FROM = 16;

/** ln Γ(x) for x > 0, by the series of Stirling (6.1.41), which smaller x reach by Γ(x) = Γ(x + 1) / x. */
export function logGamma(x: number): number {
  let [at, product] = [x, 1];
  while (at < STIRLING_FROM) product *= at++;
  const square = at * at;
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}

const TINY = 1e-300;
const atLeastTiny = (value: number): number => (Math.abs(value) < TINY ? TINY : value);

/** The continued fraction of the incomplete beta function (26.5.8), evaluated by the method of W. J. Lentz (1976). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / atLeastTiny(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; ; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const term of [even, odd]) {
      d = 1 / atLeastTiny(1 + term * d);
      c = atLeastTiny(1 + term / c);
      value *= c * d;
    }
    if (Math.abs(c * d - 1) < Number.EPSILON || m === MAX_TERMS) return value;
  }
}
const MAX_TERMS = 10_000;

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);

/** I(x; a, b). The fraction converges fast for x below the mean, so that above it that of 1 − x is taken. @param rest 1 − x. */
function incompleteBeta(x: number, rest: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log(rest) - logBeta(a, b));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(rest, b, a)) / b;
}

/** The probability that |t| exceeds a value. @param df Degrees of freedom, above 0. */
export function studentExceedance(df: number, value: number): number {
  const square = value * value;
  return incompleteBeta(df / (df + square), square / (df + square), df / 2, 0.5);
}

/** The value of the normal distribution that the quantiles of Student's approach from above. */
export const NORMAL_QUANTILE = 1.959964;

const PRECISION = 1e-14;

/** The value that is exceeded with a probability. Newton's method from below converges, because that probability is convex. */
function quantile(df: number, exceeded: number): number {
  const scale = Math.exp(-logBeta(df / 2, 0.5)) / Math.sqrt(df);
  const density = (value: number) => scale * (1 + (value * value) / df) ** (-(df + 1) / 2);
  let value = exceeded <= 1 - INTERVAL_LEVEL ? NORMAL_QUANTILE : 0;
  for (;;) {
    const step = (studentExceedance(df, value) - exceeded) / (2 * density(value));
    value += step;
    if (step < PRECISION * value) return value;
  }
}

/** Brands that are asked on the same days have the same degrees of freedom. */
const known = new LRUCache<string, number>({ max: 1000 });

/** The value that |t| exceeds with probability 1 − `level`. @param df Degrees of freedom, above 0. */
export function studentQuantile(df: number, level = INTERVAL_LEVEL): number {
  const key = `${df} ${level}`;
  const found = known.get(key) ?? quantile(df, 1 - level);
  known.set(key, found);
  return found;
}
