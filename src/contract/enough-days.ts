/**
 * Whether the measured days of a window allow an interval or a verdict, and the fact where they do not, from which the first
 * verdict is foretold. A day is stated by how many days before the end of its window
 * it is.
 */
import { fact } from './notes.js';
import type { Fact } from './read.js';

/** In windows of so many days and more, days in succession are related, because their numbers resemble each other. */
const RELATED_FROM_DAYS = 28;
/** Days so many apart are not related any more. */
const RELATED_WITHIN = 7;

/** L of a window: days less than L apart are related. 1: no days are. */
export const relatedWithin = (windowDays: number): number =>
  windowDays < RELATED_FROM_DAYS ? 1 : RELATED_WITHIN;

/** Degrees of freedom that an interval and each window of a verdict need. */
const LEAST_FREEDOM = 3;

/**
 * ν = G² / Σ w² − 1 of G days, with w = 1 − d / L for each pair of them d days apart, in both orders: G − 1 for days that are
 * not related. In whole numbers, so that a limit is met exactly. −1: no day.
 */
export function freedomOf(days: readonly number[], related: number): number {
  const measured: true[] = [];
  for (const day of days) measured[day] = true;
  let squares = 0;
  for (const day of days)
    for (let apart = 0; apart < related; apart += 1)
      if (measured[day + apart]) squares += (apart === 0 ? 1 : 2) * (related - apart) ** 2;
  return squares === 0 ? -1 : (related * days.length) ** 2 / squares - 1;
}

export const isEnough = (freedom: number): boolean => freedom >= LEAST_FREEDOM;

/** How many more days are needed, if they come as often as the closest ones so far, or every day. */
export function missingDays(days: readonly number[], related: number): number {
  const sorted = days.toSorted((a, b) => a - b);
  const gaps = sorted.slice(1).map((day, at) => day - sorted[at]!);
  const gap = gaps.length === 0 ? 1 : Math.min(...gaps);
  const coming = [...sorted];
  while (!isEnough(freedomOf(coming, related))) coming.push((coming.at(-1) ?? 0) + gap);
  return coming.length - days.length;
}

/** The days in a row that an interval and each window of a verdict need, in windows of so many days. */
export const leastDays = (windowDays: number): number => missingDays([], relatedWithin(windowDays));

export const TOO_FEW_DAYS = `fewer than ${leastDays(1)} days (${leastDays(RELATED_FROM_DAYS)} in a row in windows of ${RELATED_FROM_DAYS} days and more)`;

/** The measured days of a window and of the one before. */
interface BothWindows {
  readonly related: number;
  readonly now: readonly number[];
  readonly before: readonly number[];
}

export function tooFewDays({ related, now, before }: BothWindows): Fact {
  const found = { measured: now.length, measured_before: before.length };
  if (related === 1) return fact('too_few_days', { ...found, least: missingDays([], related) });
  const more = missingDays(now, related);
  const more_before = missingDays(before, related);
  if (more > 0 && more_before > 0) return fact('too_few_days_in_a_row', { ...found, more, more_before });
  return more > 0
    ? fact('too_few_days_now', { ...found, more })
    : fact('too_few_days_before', { ...found, more_before });
}

/** How many days such a fact states; null for every other reason. */
export const measuredDaysOf = ({ measured, measured_before: before }: Fact) =>
  typeof measured === 'number' && typeof before === 'number' ? { now: measured, before } : null;
