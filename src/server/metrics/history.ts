/** Computes the metrics of a history from exact sums, and the change between a window and the one before it. */
import { type HistoryMetric, historyMetrics } from '../../contract/reads/history.js';
import * as metric from './entity-metrics.js';
import { round } from './rounding.js';

/** Decimals of a value in a history. */
const DIGITS = { score_0_100: 1, index_0_100: 1, fraction_0_1: 3 } as const;

/** The metric, unrounded; null: not measured. */
export function measure(
  name: HistoryMetric,
  entity: metric.EntitySums,
  totals: metric.WindowSums,
  hasDomain: boolean,
): number | null {
  switch (name) {
    case 'visibility':
      return metric.visibility(entity, totals.runs);
    case 'share_of_voice_fraction':
      return metric.shareOfVoice(entity, totals);
    case 'citation_share':
      return metric.citationShare(entity, totals, hasDomain);
    case 'sentiment_index':
      return metric.sentimentIndex(entity);
  }
}

export const roundedValue = (name: HistoryMetric, value: number | null): number | null =>
  round(value, DIGITS[historyMetrics[name].unit]);

/**
 * The change between the unrounded values of two windows: relative in percent for visibility, else the difference. Null
 * if the current window was not measured, or for a percentage of zero.
 */
export function deltaOf(name: HistoryMetric, current: number | null, previous: number): number | null {
  if (current === null) return null;
  const difference = current - previous;
  switch (historyMetrics[name].deltaUnit) {
    case 'relative_pct':
      return previous === 0 ? null : signedRound((100 * difference) / previous, 1);
    case 'fraction_points':
      return signedRound(difference, 3);
    case 'index_points':
      return signedRound(difference, 1);
  }
}

/** Rounds halves away from zero, so that a fall rounds like a rise of the same size. Never returns −0. */
const signedRound = (value: number, digits: number): number =>
  value < 0 ? 0 - round(-value, digits) : round(value, digits);

export const addEntitySums = (a: metric.EntitySums, b: metric.EntitySums): metric.EntitySums => ({
  present: a.present + b.present,
  positionSum: a.positionSum + b.positionSum,
  weightSum: a.weightSum + b.weightSum,
  positive: a.positive + b.positive,
  neutral: a.neutral + b.neutral,
  negative: a.negative + b.negative,
  citations: a.citations + b.citations,
});

export const NO_RUNS: metric.WindowSums = { runs: 0, citations: 0, presences: 0 };

export const addWindowSums = (a: metric.WindowSums, b: metric.WindowSums): metric.WindowSums => ({
  runs: a.runs + b.runs,
  citations: a.citations + b.citations,
  presences: a.presences + b.presences,
});
