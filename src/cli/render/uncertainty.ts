/**
 * How intervals and verdicts are shown: `27.9 ± 2.1`, `▲ +3.2 moved`, `no clear change`. Servers before 2026-11-22 do not
 * send them, so each may be undefined.
 */
import type { Bounds, MetricChange } from '../../contract/intervals.js';
import { type RatioMetric, ratioMetrics, type Verdict } from '../../contract/metrics.js';
import { type Column, signed } from './view.js';

/** A fraction is shown as a percentage. */
const factorOf = (metric: RatioMetric): number => (ratioMetrics[metric].unit === 'fraction_0_1' ? 100 : 1);

const RADIUS = '± 95 % interval: of 100 such intervals, about 95 contain the true value for these prompts';
const NO_RADIUS = 'no ±: measured on too few days to say';

/** A value with the greater distance to a bound of its interval. */
export function withRadius(
  metric: RatioMetric,
  value: number | null,
  interval: Bounds | null | undefined,
): string | null {
  if (value === null) return null;
  const factor = factorOf(metric);
  const shown = (factor * value).toFixed(1);
  if (!interval) return shown;
  const radius = Math.max(interval[1] - value, value - interval[0]);
  return `${shown} ± ${(factor * Math.max(0, radius)).toFixed(1)}`;
}

/** What the presence or absence of ± means. */
export const radiusMeans = (value: number | null, interval: Bounds | null | undefined): string[] =>
  value === null ? [] : [interval ? RADIUS : NO_RADIUS];

/** Shows the interval beside the values of a column. */
export const withInterval = <Row>(
  column: Column<Row>,
  metric: RatioMetric,
  pick: (row: Row) => readonly [value: number | null, interval: Bounds | null | undefined],
): Column<Row> => ({
  ...column,
  text: (row) => withRadius(metric, ...pick(row)),
  explains: (row) => radiusMeans(...pick(row)),
});

const MARKS = { up: '▲', down: '▼' } as const;
const MOVED = '▲ ▼ moved: up or down by more than chance explains';
const NO_CLEAR_CHANGE = 'no clear change: the difference from the window before may be chance';

/** The verdict in words. @param difference The change with its unit, shown if the value moved. */
export const verdictText = (verdict: Verdict, difference: string): string => {
  if (verdict === 'up' || verdict === 'down') return `${MARKS[verdict]} ${difference} moved`;
  return verdict === 'unknown' ? 'unknown' : 'no clear change';
};

/** What the words of a verdict mean. */
export function verdictMeans({ verdict, reason }: Pick<MetricChange, 'verdict' | 'reason'>): string[] {
  if (verdict === 'unknown') return reason === null ? [] : [`unknown: ${reason}`];
  return [verdict === 'no_clear_change' ? NO_CLEAR_CHANGE : MOVED];
}

/** The difference from the window before, in the unit of the shown value. */
const differenceOf = (metric: RatioMetric, value: number | null, previous: number | null): string =>
  value === null || previous === null ? '' : signed(factorOf(metric) * (value - previous));

/** A value beside the one before: `metric` decides how they are shown. */
interface Moved {
  readonly metric: RatioMetric;
  readonly value: number | null;
  readonly change: Pick<MetricChange, 'previous' | 'verdict' | 'reason'> | undefined;
}

/** The column of verdicts. */
export const changeColumn = <Row>(head: string, pick: (row: Row) => Moved): Column<Row> => ({
  head,
  text: (row) => {
    const { metric, value, change } = pick(row);
    return change && value !== null
      ? verdictText(change.verdict, differenceOf(metric, value, change.previous))
      : null;
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
  metric: RatioMetric,
  value: number | null,
  { verdict, previous, reason }: Pick<MetricChange, 'previous' | 'verdict' | 'reason'>,
  before: string,
): string {
  const [now, then] = [value, previous].map((each) => withRadius(metric, each, null) ?? 'nothing');
  switch (verdict) {
    case 'up':
    case 'down':
      return `${name} moved ${verdict} against ${before}: from ${then} to ${now}.`;
    case 'no_clear_change':
      return `${name} shows no clear change against ${before}: ${now}, and ${then} before.`;
    case 'unknown':
      return `Whether ${name.toLowerCase()} moved against ${before} is unknown. ${reason ?? ''}`.trim();
  }
}
