/** The histories of all metrics over one window, also where days have daily statistics only. */
import type { BrandReads, ReadParams } from '../../contract/brand-reads.js';
import { historyMetricNames } from '../../contract/reads/history.js';
import type { BodyOf } from '../../contract/registry.js';

type History = BodyOf<'history'>;

/**
 * One after the other, in the order of the scorecard. Daily statistics of several engines have no denominators: a metric that cannot be derived from
 * them is refused, and has a history without values whose note says so.
 */
export async function historiesOf(reads: BrandReads, params: ReadParams): Promise<History[]> {
  const [first, ...others] = historyMetricNames;
  // Its own refusal is of the request, and not of the metric: it has a value for each day that has any.
  const known = await reads.load('history', { ...params, metric: first! });
  const histories = [known];
  for (const metric of others) {
    const found = await reads.loadIfPossible('history', { ...params, metric });
    histories.push('refused' in found ? withoutValues(known, metric, String(found.refused)) : found);
  }
  return histories;
}

const withoutValues = (known: History, metric: History['metric'], note: string): History => ({
  ...known,
  metric,
  note,
  notes: [],
  series: known.series.map((each) => ({
    ...each,
    window_value: null,
    interval: null,
    trend: null,
    points: each.points.map((point) => ({ ...point, value: null })),
  })),
});
