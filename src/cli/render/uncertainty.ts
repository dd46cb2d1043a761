/** How intervals and verdicts are shown: `27.9 ± 2.1`, `▲ +3.2 points`, `no clear change`. */

import type { Bounds, MetricChange } from '../../contract/intervals.js';
import {
  amountText,
  deltaText,
  differenceSeen,
  differenceText,
  type MeasureName,
  measureNames,
  moveText,
  scaleOf,
  valueText,
} from '../../contract/measures.js';
import type { HistorySeries } from '../../contract/reads/history.js';
import type { Field } from '../../contract/rows.js';
import type { Column } from './view.js';

const INTERVAL =
  '± and (from–to): 95 % interval: of 100 such intervals, about 95 contain the true value for these prompts';
const FAR_BOUND = 'at most, at least: the value is 0 or 100, and this is the other end of its 95 % interval';
const NO_RADIUS = 'no ±: measured on too few days to say';

/** The shorter distance to a bound, as a part of the longer one, from which one number stands for both. */
const EVEN = 0.8;

/**
 * A value with its interval: `27.8 ± 2.3`, `4.7 (3.4–6.4)` where a bound is much nearer than the other, and the far bound alone
 * where the value is the least or the greatest possible: `at most 10.6`.
 */
export function withRadius(
  metric: MeasureName,
  value: number | null,
  interval: Bounds | null,
): string | null {
  if (value === null) return null;
  const factor = scaleOf(metric).shown;
  const shown = (factor * value).toFixed(1);
  if (!interval) return shown;
  // Of the value that is shown: reads round it differently, and all of them must show one interval.
  const middle = Number(shown) / factor;
  const [below, above] = [middle - interval[0], interval[1] - middle].map((each) => Math.max(0, each));
  const [low, high] = interval.map((bound) => (factor * bound).toFixed(1));
  if (isAtEnd(metric, value, interval)) return value === 0 ? `at most ${high}` : `at least ${low}`;
  const radius = Math.max(below!, above!);
  if (Math.min(below!, above!) < EVEN * radius) return `${shown} (${low}–${high})`;
  return `${shown} ± ${(factor * radius).toFixed(1)}`;
}

/** Whether the value is the least or the greatest possible, so that its interval has one side. */
const isAtEnd = (metric: MeasureName, value: number, [low, high]: Bounds): boolean =>
  low !== high && (value === 0 || value === 100 / scaleOf(metric).shown);

/** A value outside of a table, whose head has the unit. */
export const withUnit = (metric: MeasureName, value: number | null): string | null =>
  value === null ? null : valueText(metric, value);

/** What the interval beside a value, or its absence, means. */
export const radiusMeans = (metric: MeasureName, value: number | null, interval: Bounds | null): string[] => {
  if (value === null) return [];
  if (!interval) return [NO_RADIUS];
  return [isAtEnd(metric, value, interval) ? FAR_BOUND : INTERVAL];
};

/** Shows the interval next to the values of a column. */
export const withInterval = <Row>(
  column: Column<Row>,
  metric: MeasureName,
  pick: (row: Row) => readonly [value: number | null, interval: Bounds | null],
): Column<Row> => ({
  ...column,
  text: (row) => withRadius(metric, ...pick(row)),
  brief: (row) => withRadius(metric, pick(row)[0], null),
  explains: (row) => radiusMeans(metric, ...pick(row)),
});

const MARKS = { up: '▲', down: '▼' } as const;
const MOVED = '▲ ▼ moved: up or down by more than chance explains';
const NO_CLEAR_CHANGE = 'no clear change: the difference from the window before may be chance';

/** A change, or a trend of the history. */
type Change = Pick<MetricChange, 'previous' | 'difference' | 'verdict' | 'reason'>;

/** The difference of a value and the one before as both are shown; the exact one where one of them is not. */
const seen = (metric: MeasureName, value: number | null, { previous, difference }: Change): number | null =>
  value === null || previous === null ? difference : differenceSeen(metric, value, previous);

/** The verdict in words, with the difference if the value moved. */
export function verdictText(metric: MeasureName, value: number | null, change: Change): string {
  const { verdict } = change;
  if (verdict === 'unknown') return 'unknown';
  if (verdict === 'no_clear_change') return 'no clear change';
  const difference = seen(metric, value, change);
  return difference === null ? `moved ${verdict}` : `${MARKS[verdict]} ${moveText(metric, difference)}`;
}

/** A series of the history as a change; null: it has no trend. */
const changeOf = ({ trend }: Pick<HistorySeries, 'trend'>): Change | null =>
  trend && { ...trend, previous: trend.previous_window_value };

/** The verdict on a series of the history; null: it has no trend. */
export function trendText(metric: MeasureName, series: Pick<HistorySeries, 'trend' | 'window_value'>) {
  const change = changeOf(series);
  return change && verdictText(metric, series.window_value, change);
}

/** The verdict on a series, with the difference even if it may be chance: `+1.8 points, may be chance`. */
export function trendAmount(metric: MeasureName, series: Pick<HistorySeries, 'trend' | 'window_value'>) {
  const change = changeOf(series);
  const difference = change && seen(metric, series.window_value, change);
  if (change?.verdict !== 'no_clear_change' || difference === null) return trendText(metric, series);
  return `${differenceText(metric, difference)}, may be chance`;
}

export function verdictMeans({ verdict, reason }: Pick<MetricChange, 'verdict' | 'reason'>): string[] {
  if (verdict === 'unknown') return reason === null ? [] : [`unknown: ${reason}`];
  return [verdict === 'no_clear_change' ? NO_CLEAR_CHANGE : MOVED];
}

/** A value next to the one before: `metric` decides how they are shown. */
interface Moved {
  readonly metric: MeasureName;
  readonly value: number | null;
  readonly change: Change | undefined;
}

export const changeColumn = <Row>(head: string, pick: (row: Row) => Moved): Column<Row> => ({
  head,
  text: (row) => {
    const { metric, value, change } = pick(row);
    return change && value !== null ? verdictText(metric, value, change) : null;
  },
  explains: (row) => {
    const { value, change } = pick(row);
    return change && value !== null ? verdictMeans(change) : [];
  },
  align: 'left',
});

/** One sentence on whether a metric moved. @param name The metric, as the subject. */
export function changeSentence(
  name: string,
  metric: MeasureName,
  value: number | null,
  change: Change,
  before: string,
): string {
  const { verdict, previous, reason } = change;
  const [now, then] = [value, previous].map((each) => withUnit(metric, each) ?? 'nothing');
  const difference = seen(metric, value, change);
  const by = difference === null ? '' : ` by ${amountText(metric, difference)}`;
  switch (verdict) {
    case 'up':
    case 'down':
      return `${name} moved ${verdict}${by} against ${before}: from ${then} to ${now}.`;
    case 'no_clear_change':
      return `${name} shows no clear change against ${before}: ${now}, and ${then} before.`;
    case 'unknown':
      return `Whether ${name.toLowerCase()} moved against ${before} is unknown. ${reason ?? ''}`.trim();
  }
}

/** A field `delta` or `difference` of a metric as changes are written everywhere; null: the field is neither. */
export function changeFieldText({ path }: Field, value: unknown): string | null {
  const metric = path.at(-2);
  if (typeof value !== 'number' || !isMetric(metric)) return null;
  switch (path.at(-1)) {
    case 'delta':
      return deltaText(metric, value);
    case 'difference':
      return differenceText(metric, value);
    default:
      return null;
  }
}

const isMetric = (name: string | undefined): name is MeasureName =>
  measureNames.includes(name as MeasureName);
