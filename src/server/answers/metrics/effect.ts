/**
 * Whether prompts for which something was done moved beyond those for which nothing was: analysis of covariance. The controls say how a
 * prompt that was x before is after, which also takes what all prompts have in common and the regression to the mean of prompts that
 * were chosen for being weak (A. J. Vickers, D. G. Altman, Analysing controlled trials with baseline and follow up measurements, 2001;
 * A. G. Barnett, J. C. van der Pols, A. J. Dobson, Regression to the mean: what it is and how to deal with it, 2005). Prompts are
 * the units, not days: a prompt drifts for weeks, so that its days tell too little apart.
 */
import { LEAST_CONTROLS } from '../../../contract/limits.js';
import { LEAST_OBSERVATIONS } from './change.js';
import { studentQuantile } from './student.js';

/** The answers to a prompt in a window, those that name the brand, and the metric over them on its scale. */
export interface PromptWindow {
  readonly runs: number;
  readonly present: number;
  readonly value: number;
}

/** A prompt in two windows. */
export interface PromptPair {
  readonly before: PromptWindow;
  readonly after: PromptWindow;
}

export interface EffectEstimate {
  readonly effect: number;
  /** se. */
  readonly error: number;
  /** n − 2. */
  readonly freedom: number;
  /** a + b·x, for the value of a prompt before. */
  readonly predict: (before: number) => number;
}

const sum = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

export const meanOf = (rows: readonly PromptPair[], at: keyof PromptPair): number =>
  sum(rows, (row) => row[at].value) / rows.length;

/** Values that differ by less, as a part of the scale, are equal but for rounding: two of prompts differ by 1 / runs² at least. */
const EQUAL = 1e-9;

/**
 * The effect is ȳ_T − (a + b·x̄_T), where y = a + b·x is the line of least squares over the n controls, b cut to [0, 1]. With
 * s² = RSS / (n − 2), se² = s²·(1/m + 1/n + (x̄_T − x̄_C)² / Sxx) for m treated prompts. Controls that were all alike before have b = 0
 * and no last term.
 * @param scale What the metric is if every answer names the brand first.
 * @returns Null: too few prompts.
 */
export function estimateEffect(
  treated: readonly PromptPair[],
  controls: readonly PromptPair[],
  scale: number,
): EffectEstimate | null {
  const [m, n] = [treated.length, controls.length];
  if (m === 0 || n < LEAST_CONTROLS) return null;
  const [x, y] = [meanOf(controls, 'before'), meanOf(controls, 'after')];
  const apart = ({ before }: PromptPair) => before.value - x;
  const squares = sum(controls, (row) => apart(row) ** 2);
  const areAlike = squares <= n * (EQUAL * scale) ** 2;
  const slope = sum(controls, (row) => apart(row) * (row.after.value - y)) / squares;
  const b = areAlike ? 0 : Math.max(0, Math.min(1, slope));
  const predict = (before: number) => y + b * (before - x);
  const rest = sum(controls, ({ before, after }) => (after.value - predict(before.value)) ** 2);
  const distance = meanOf(treated, 'before') - x;
  const variance = (rest / (n - 2)) * (1 / m + 1 / n + (areAlike ? 0 : distance ** 2 / squares));
  const effect = meanOf(treated, 'after') - predict(meanOf(treated, 'before'));
  return {
    effect: Math.abs(effect) < EQUAL * scale ? 0 : effect,
    error: Math.sqrt(Math.max(variance, scale ** 2 * leastEffectVariance(treated, controls))),
    freedom: n - 2,
    predict,
  };
}

/**
 * Whether the treated prompts were weaker, or stronger, on average than every control: then the line of the controls is drawn to where
 * none of them is, and what bends it, as another model does near the ends of the scale, seems an effect.
 */
export function isBeyond(treated: readonly PromptPair[], controls: readonly PromptPair[]): boolean {
  const mean = meanOf(treated, 'before');
  return (
    controls.every(({ before }) => before.value > mean) || controls.every(({ before }) => before.value < mean)
  );
}

/**
 * The least variance of the effect, as a part of the scale: that of independent answers, with one more at each end (A. Agresti, B. Caffo,
 * 2000), where a group has few that name the brand. Controls that never do have none of their own, and one mention would be proof.
 */
function leastEffectVariance(treated: readonly PromptPair[], controls: readonly PromptPair[]): number {
  const groups = [treated, controls];
  const count = (rows: readonly PromptPair[], of: keyof Pick<PromptWindow, 'runs' | 'present'>) =>
    (['before', 'after'] as const).map((at) => sum(rows, (row) => row[at][of]));
  const named = groups.map((rows) => sum(count(rows, 'present'), Number));
  if (named.every((each) => each >= LEAST_OBSERVATIONS)) return 0;
  const answers = groups.flatMap((rows) => count(rows, 'runs'));
  const p = (sum(named, Number) + 1) / (sum(answers, Number) + 2);
  return p * (1 - p) * sum(answers, (each) => 1 / each);
}

export const effectInterval = ({ effect, error, freedom }: EffectEstimate): [number, number] => {
  const radius = studentQuantile(freedom) * error;
  return [effect - radius, effect + radius];
};

/** The side of 0 on which an interval lies; 0: it has 0, or ends there. */
export const sideOf = ([low, high]: readonly [number, number]): number => (low > 0 ? 1 : high < 0 ? -1 : 0);

/** The probability with which |t| exceeds the quantile of an effect that is shown in four of five cases. */
const MISSED = 0.4;

/** (t(0.975) + t(0.8))·se: the smallest effect that so many prompts and days show in four of five cases. */
export const detectableEffect = ({ error, freedom }: EffectEstimate): number =>
  (studentQuantile(freedom) + studentQuantile(freedom, 1 - MISSED)) * error;
