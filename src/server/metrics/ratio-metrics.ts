/** Values and changes of the metrics that are ratios, from exact sums, and their rounding. */
import { type MeasureName, scaleOf } from '../../contract/measures.js';
import * as metric from './entity-metrics.js';
import { round } from './rounding.js';

/** The metric, unrounded; null: not measured. */
export function measure(
  name: MeasureName,
  entity: metric.EntitySums,
  totals: metric.WindowSums,
  hasDomain: boolean,
): number | null {
  switch (name) {
    case 'visibility':
      return metric.visibility(entity, totals.runs);
    case 'presence_rate':
      return metric.presenceRate(entity, totals.runs);
    case 'share_of_voice_fraction':
      return metric.shareOfVoice(entity, totals);
    case 'citation_share':
      return metric.citationShare(entity, totals, hasDomain);
    case 'sentiment_index':
      return metric.sentimentIndex(entity);
  }
}

/** The value with the decimals of its unit; null, not measured, stays null. */
export function roundedValue(name: MeasureName, value: number): number;
export function roundedValue(name: MeasureName, value: number | null): number | null;
export function roundedValue(name: MeasureName, value: number | null): number | null {
  return round(value, scaleOf(name).digits);
}

/**
 * The change between the unrounded values of two windows: relative in percent for visibility, else the difference. Null
 * if a window was not measured, or for a percentage of zero.
 */
export function deltaOf(name: MeasureName, current: number | null, previous: number | null): number | null {
  if (current === null || previous === null) return null;
  const difference = current - previous;
  switch (scaleOf(name).deltaUnit) {
    case 'relative_pct':
      return previous === 0 ? null : signedRound((100 * difference) / previous, 1);
    case 'fraction_points':
      return signedRound(difference, 3);
    case 'index_points':
      return signedRound(difference, 1);
  }
}

/** Now − before in the unit of the metric, rounded as the metric. Null if a window was not measured. */
export const differenceOf = (
  name: MeasureName,
  current: number | null,
  previous: number | null,
): number | null =>
  current === null || previous === null ? null : signedRound(current - previous, scaleOf(name).digits);

/** Rounds halves away from zero, so that a fall rounds like a rise of the same size. Never returns −0. */
const signedRound = (value: number, digits: number): number =>
  value < 0 ? 0 - round(-value, digits) : round(value, digits);
