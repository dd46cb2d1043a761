/** The trend of the market. It depends on the calendar only, so that the data of past days never changes. */
import { dayOfText } from './calendar.js';
import { randomOf } from './random.js';

const CYCLE_DAYS = 364;
/** The part of a cycle in which the momentum rises. In the rest it falls. */
const RISING = 0.85;
const TROUGH = dayOfText('2026-06-01');
const WEEKLY_SWING = 0.1;

/** The momentum of the market, 0 to 1: it rises for ten months, then falls for two. */
export function momentum(day: number): number {
  const phase = ((((day - TROUGH) % CYCLE_DAYS) + CYCLE_DAYS) % CYCLE_DAYS) / CYCLE_DAYS;
  return phase < RISING ? phase / RISING : (1 - phase) / (1 - RISING);
}

/** A factor near 1 that drifts from one week's value to the next. */
export function weeklySwing(name: string, day: number): number {
  const week = Math.floor(day / 7);
  const swingOf = (at: number) => randomOf(name, 'week', at).next() * 2 - 1;
  const share = (day - week * 7) / 7;
  return 1 + WEEKLY_SWING * (swingOf(week) * (1 - share) + swingOf(week + 1) * share);
}
