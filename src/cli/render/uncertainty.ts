/**
 * How intervals and verdicts are shown: `27.9 ± 2.1`, `▲ +3.2 points`, `no clear change`. Servers before 2026-11-22 do not
 * send them, so each may be undefined.
 */

import type { Bounds, MetricChange } from '../../contract/intervals.js';
import {
  amountText,
  deltaText,
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

const RADIUS = '± 95 % interval: of 100 such intervals, about 95 contain the true value for these prompts';
const NO_RADIUS = 'no ±: measured on too few days to say';

/** A value with the greater distance to a bound of its interval. */
export function withRadius(
  metric: MeasureName,
  value: number | null,
  interval: Bounds | null | undefined,
): string | null {
  if (value === null) return null;
  const factor = scaleOf(metric).shown;
  const shown = (factor * value).toFixed(1);
  if (!interval) return shown;
  const radius = Math.max(interval[1] - value, value - interval[0]);
  return `${shown} ± ${(factor * Math.max(0, radius)).toFixed(1)}`;
}

/** A value outside of a table, whose head has the unit. */
export const withUnit = (metric: MeasureName, value: number | null): string | null =>
  value === null ? null : valueText(metric, value);

/** What the presence or absence of ± means. */
export const radiusMeans = (value: number | null, interval: Bounds | null | undefined): string[] =>
  value === null ? [] : [interval ? RADIUS : NO_RADIUS];

/** Shows the interval next to the values of a column. */
export const withInterval = <Row>(
  column: Column<Row>,
  metric: MeasureName,
  pick: (row: Row) => readonly [value: number | null, interval: Bounds | null | undefined],
): Column<Row> => ({
  ...column,
  text: (row) => withRadius(metric, ...pick(row)),
  brief: (row) => withRadius(metric, pick(row)[0], null),
  explains: (row) => radiusMeans(...pick(row)),
});

const MARKS = { up: '▲', down: '▼' } as const;
const MOVED = '▲ ▼ moved: up or down by more than chance explains';
const NO_CLEAR_CHANGE = 'no clear change: the difference from the window before may be chance';

/** A change, or a trend of the history. Servers before 2026-11-23 do not state the difference. */
type Change = Pick<MetricChange, 'previous' | 'verdict' | 'reason'> &
  Partial<Pick<MetricChange, 'difference'>>;

/** The difference from the window before; null: one of the values was not measured. */
const differenceOf = (value: number | null, { previous, difference }: Change): number | null =>
  difference ?? (value === null || previous === null ? null : value - previous);

/** The verdict in words, with the difference if the value moved. */
export function verdictText(metric: MeasureName, value: number | null, change: Change): string {
  const { verdict } = change;
  if (verdict === 'unknown') return 'unknown';
  if (verdict === 'no_clear_change') return 'no clear change';
  const difference = differenceOf(value, change);
  return difference === null ? `moved ${verdict}` : `${MARKS[verdict]} ${moveText(metric, difference)}`;
}

/** The same of a series of the history; null: it has no trend. */
export const trendText = (
  metric: MeasureName,
  { window_value, trend }: Pick<HistorySeries, 'window_value' | 'trend'>,
): string | null =>
  trend && verdictText(metric, window_value, { ...trend, previous: trend.previous_window_value });

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
  const difference = differenceOf(value, change);
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
