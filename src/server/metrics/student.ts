/**
 * Quantiles of Student's t distribution, by the finite series for whole degrees of freedom: M. Abramowitz, I. A. Stegun,
 * Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.
 */
import { INTERVAL_LEVEL } from '../../contract/measures.js';

/** The probability that |t| is at most √df · tan(angle), with `df` degrees of freedom. */
function centralProbability(df: number, angle: number): number {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = df % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = df === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= df - 2; power += 2) {
    term *= (cosine * cosine * (power - 1)) / power;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}

/** Bisections until the angle has the precision of a double. */
const BISECTIONS = 60;

function quantile(df: number, level: number): number {
  let [low, high] = [0, Math.PI / 2];
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (low + high) / 2;
    if (centralProbability(df, middle) < level) low = middle;
    else high = middle;
  }
  return Math.sqrt(df) * Math.tan((low + high) / 2);
}

const known = new Map<number, number>();

/**
 * The value that |t| exceeds with probability 1 − `INTERVAL_LEVEL`.
 * @param df Degrees of freedom, a whole number from 1.
 */
export function studentQuantile(df: number): number {
  const found = known.get(df) ?? quantile(df, INTERVAL_LEVEL);
  known.set(df, found);
  return found;
}

/** The probability that |t| exceeds a value. @param df Degrees of freedom, a whole number from 1. */
export const studentExceedance = (df: number, value: number): number =>
  Math.max(0, 1 - centralProbability(df, Math.atan(Math.abs(value) / Math.sqrt(df))));

/** The same value of the normal distribution, which Student's approaches. */
export const NORMAL_QUANTILE = 1.959964;
