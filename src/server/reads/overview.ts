import { LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { ratioMetricNames } from '../../contract/metrics.js';
import { daysIn } from '../days.js';
import * as metric from '../metrics/entity-metrics.js';
import { changesOf, intervalsOf } from '../metrics/intervals/index.js';
import { round } from '../metrics/rounding.js';
import { modelChangesOf, statedSurfaces, surfacesOf } from '../sums/collection.js';
import { comparisons } from './comparison.js';
import { brandRefOf, type Reader } from './reader.js';
import { daysFields, requireRunsSince, sliceOf } from './slice.js';

export const reader: Reader<'overview'> = async (context, params) => {
  const { brand } = context;
  const slice = await sliceOf(context, params);
  if (slice.runs) await requireRunsSince(context, slice.prior.start, params);
  const { window, engines } = slice;
  const [{ compare, surfaces, days }, model_changes] = await Promise.all([
    comparisons(context, 'brand', slice),
    modelChangesOf(context, engines, window),
  ]);
  const { note, ...extent } = await daysFields(context, slice, { hasZeros: true, days });
  const stated = surfaces ?? (await statedSurfaces(context.db, { brandKey: brand.key, engines, ...window }));
  const comparison = compare({ entity: 0, domain: brand.domain });
  const { entity: own, totals } = comparison.current;
  // The share of voice if nobody is mentioned.
  const nobody = totals.runs === 0 ? null : 0;
  return {
    brand: brandRefOf(brand),
    window_days: daysIn(window),
    run_count: totals.runs,
    visibility: round(metric.visibility(own, totals.runs), 1),
    presence_rate: round(metric.presenceRate(own, totals.runs), 3),
    share_of_voice: round(metric.shareOfVoicePercent(own, totals) ?? nobody, 1),
    share_of_voice_fraction: round(metric.shareOfVoice(own, totals) ?? nobody, 3),
    citation_share: metric.citationShare(own, totals, brand.domain !== ''),
    sentiment_index: round(metric.sentimentIndex(own), 1),
    avg_position: metric.avgPosition(own),
    low_confidence: totals.runs < LOW_CONFIDENCE_BELOW_RUNS,
    has_prior_window: comparison.previous.totals.runs > 0,
    note,
    surfaces: surfacesOf(stated, totals.runs),
    intervals: intervalsOf(ratioMetricNames, comparison.current),
    change: changesOf(ratioMetricNames, comparison),
    model_changes,
    ...extent,
  };
};
