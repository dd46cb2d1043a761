/** How often an answer was shown, of the runs that were asked. */
import type { Bounds } from '../../../contract/intervals.js';
import { daysBetween, type Window } from '../../base/days.js';
import { estimateRatio, wilsonInterval } from './intervals.js';
import { relatedIn } from './samples.js';
import { round } from './values.js';

const DIGITS = 3;

/** A day on which some were asked. */
export interface AskedDay {
  readonly day: string;
  /** Runs with an answer. */
  readonly shown: number;
  readonly asked: number;
}

type Asked = Pick<AskedDay, 'shown' | 'asked'>;

const rateOf = ({ shown, asked }: Asked) => ({
  shown_rate: asked === 0 ? null : round(shown / asked, DIGITS),
  asked_count: asked,
});

const NONE: Asked = { shown: 0, asked: 0 };

const sumOf = (a: Asked, b: Asked): Asked => ({ shown: a.shown + b.shown, asked: a.asked + b.asked });

/** How often answers were shown in the whole window, with its interval; null: no run states its outcome. */
export function shownIn(window: Window, days: readonly AskedDay[] | null) {
  if (days === null) return null;
  const ratios = days.map(({ day, shown, asked }) => ({
    ago: daysBetween(day, window.end),
    numerator: shown,
    denominator: asked,
  }));
  const estimate = estimateRatio(ratios, relatedIn(window));
  const interval = estimate && wilsonInterval(estimate);
  const { shown_rate, asked_count } = rateOf(days.reduce(sumOf, NONE));
  return {
    shown_rate,
    interval: interval && (interval.map((bound) => round(bound, DIGITS)) as Bounds),
    asked_count,
  };
}

/** How often answers were shown in a window, with a point for each day. Null: not measured. */
export function shownByDay(window: Window, dates: readonly string[], days: readonly AskedDay[] | null) {
  const whole = shownIn(window, days);
  if (whole === null) return null;
  const found = new Map(days!.map((each) => [each.day, each]));
  return { ...whole, points: dates.map((date) => ({ date, ...rateOf(found.get(date) ?? NONE) })) };
}
