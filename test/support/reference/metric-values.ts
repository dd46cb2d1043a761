import type { Entity } from './entities.js';
import { citationShare, presenceRate, sentimentIndex, shareOfVoice, visibility } from './formulas.js';
import type { Metric } from './parameters.js';
import type { RunRecord } from './records.js';
import { roundTo } from './rounding.js';
import { tally } from './tally.js';
import type { UrlRules } from './url-rules/url-rules.js';

export type Unit = 'score_0_100' | 'fraction_0_1' | 'index_0_100';
export type DeltaUnit = 'relative_pct' | 'fraction_points' | 'index_points';

export interface Scale {
  unit: Unit;
  deltaUnit: DeltaUnit;
  digits: number;
  deltaDigits: number;
}

const FRACTION: Scale = { unit: 'fraction_0_1', deltaUnit: 'fraction_points', digits: 3, deltaDigits: 3 };

/** How the values and the changes of each metric are stated. */
export const SCALES: Record<Metric, Scale> = {
  visibility: { unit: 'score_0_100', deltaUnit: 'relative_pct', digits: 1, deltaDigits: 1 },
  presence_rate: FRACTION,
  share_of_voice_fraction: FRACTION,
  citation_share: FRACTION,
  sentiment_index: { unit: 'index_0_100', deltaUnit: 'index_points', digits: 1, deltaDigits: 1 },
};

/** The metric of one entity over the runs, unrounded; null without a denominator. */
export function metricValue(
  metric: Metric,
  runs: RunRecord[],
  entity: Entity,
  tracked: Entity[],
  rules: UrlRules,
): number | null {
  const sums = tally(runs, entity, rules);
  if (metric === 'visibility') return visibility(sums);
  if (metric === 'presence_rate') return presenceRate(sums);
  if (metric === 'citation_share') return citationShare(sums, entity);
  if (metric === 'sentiment_index') return sentimentIndex(sums);
  const all = tracked.map((each) => tally(runs, each, rules));
  return all.some((each) => each.present > 0) ? shareOfVoice(sums, all) : null;
}

/** As served in a point, a window or a baseline. */
export function rounded(metric: Metric, value: number | null): number | null {
  return value === null ? null : roundTo(value, SCALES[metric].digits);
}
