/** Quantiles of Student's t distribution by plain integration of its density. */

const STEPS = 4000;

/** Γ(n / 2) for whole n from 1. */
function gammaOfHalf(n: number): number {
  if (n === 1) return Math.sqrt(Math.PI);
  return n === 2 ? 1 : (n / 2 - 1) * gammaOfHalf(n - 2);
}

/** The probability of −t to t, by Simpson's rule. */
function central(df: number, t: number): number {
  const scale = gammaOfHalf(df + 1) / (Math.sqrt(df * Math.PI) * gammaOfHalf(df));
  const density = (x: number) => scale * (1 + (x * x) / df) ** (-(df + 1) / 2);
  const width = t / STEPS;
  let sum = density(0) + density(t);
  for (let at = 1; at < STEPS; at += 1) sum += (at % 2 === 1 ? 4 : 2) * density(at * width);
  return (2 * sum * width) / 3;
}

const known = new Map<number, number>();

/** The value that |t| exceeds with probability 5 %, for 3 degrees of freedom and more. */
export function t95(df: number): number {
  let [low, high] = [1.9, 3.3];
  for (let step = 0; step < 45 && !known.has(df); step += 1) {
    const middle = (low + high) / 2;
    if (central(df, middle) < 0.95) low = middle;
    else high = middle;
  }
  if (!known.has(df)) known.set(df, low);
  return known.get(df)!;
}

/** The probability that |t| exceeds a value. */
export const exceeds = (df: number, t: number): number => (t > 200 ? 0 : Math.max(0, 1 - central(df, t)));
