/** Quantiles of Student's t distribution by plain integration: t = √df · tan α, whose density is as cos(α) ^ (df − 1). */

const STEPS = 4000;

/** The integral of cos ^ (df − 1) from 0 to an angle, by Simpson's rule. */
function area(df: number, angle: number): number {
  const width = angle / STEPS;
  const height = (at: number) => Math.cos(at * width) ** (df - 1);
  let sum = height(0) + (angle === Math.PI / 2 ? 0 : height(STEPS));
  for (let at = 1; at < STEPS; at += 1) sum += (at % 2 === 1 ? 4 : 2) * height(at);
  return (sum * width) / 3;
}

const wholes = new Map<number, number>();

function whole(df: number): number {
  if (!wholes.has(df)) wholes.set(df, area(df, Math.PI / 2));
  return wholes.get(df)!;
}

/** The probability of −t to t. */
const central = (df: number, t: number): number => area(df, Math.atan(t / Math.sqrt(df))) / whole(df);

const known = new Map<number, number>();

/** The value that |t| exceeds with probability 5 %, for 3 degrees of freedom and more, which need not be whole. */
export function t95(df: number): number {
  if (known.has(df)) return known.get(df)!;
  let [low, high] = [1.9, 3.3];
  let t = 2;
  for (let step = 0; step < 60 && high - low > 1e-13; step += 1) {
    const missing = 0.95 - central(df, t);
    if (missing > 0) low = t;
    else high = t;
    const angle = Math.atan(t / Math.sqrt(df));
    const next = t + (missing * whole(df) * Math.sqrt(df)) / Math.cos(angle) ** (df + 1);
    t = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(missing) < 1e-13) break;
  }
  known.set(df, t);
  return t;
}

/** The probability that |t| exceeds a value. */
export const exceeds = (df: number, t: number): number => (t > 200 ? 0 : Math.max(0, 1 - central(df, t)));
