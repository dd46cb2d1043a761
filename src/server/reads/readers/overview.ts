import { blendedEngineIds } from '../../../contract/engines.js';
import { LOW_CONFIDENCE_BELOW_RUNS, WINDOW_DAYS } from '../../../contract/limits.js';
import { ratioMetricNames } from '../../../contract/metrics.js';
import { windowEnding } from '../../days.js';
import * as metric from '../../metrics/entity-metrics.js';
import { changesOf, intervalsOf } from '../../metrics/intervals/index.js';
import { round } from '../../metrics/rounding.js';
import { brandRefOf, type Compute } from '../reader.js';
import { comparisons } from './comparison.js';
import { modelChangesOf } from './model-changes.js';
import { surfacesOf } from './window-surfaces.js';

const NOTHING_MEASURED = `No answer was collected in the last ${WINDOW_DAYS} days: the zeros here stand for “not measured”.`;

/** The fields whose type has no null are 0 where nothing was measured; run_count 0 and the note say so. */
export const readOverview: Compute<'overview'> = async (context) => {
  const { brand } = context;
  const window = windowEnding(context.today);
  const [compare, model_changes] = await Promise.all([
    comparisons(context, 'brand', window),
    modelChangesOf(context, blendedEngineIds, window),
  ]);
  const comparison = compare({ entity: 0, domain: brand.domain });
  const { entity: own, totals } = comparison.current;
  const bindings = { brandKey: brand.key, engines: blendedEngineIds, ...window };
  return {
    brand: brandRefOf(brand),
    window_days: WINDOW_DAYS,
    run_count: totals.runs,
    visibility: round(metric.visibility(own, totals.runs) ?? 0, 1),
    presence_rate: round(metric.presenceRate(own, totals.runs) ?? 0, 3),
    share_of_voice: round(metric.shareOfVoicePercent(own, totals) ?? 0, 1),
    share_of_voice_fraction: round(metric.shareOfVoice(own, totals) ?? 0, 3),
    citation_share: metric.citationShare(own, totals, brand.domain !== ''),
    sentiment_index: round(metric.sentimentIndex(own), 1),
    avg_position: metric.avgPosition(own),
    low_confidence: totals.runs < LOW_CONFIDENCE_BELOW_RUNS,
    has_prior_window: comparison.previous.totals.runs > 0,
    note: totals.runs === 0 ? NOTHING_MEASURED : null,
    surfaces: await surfacesOf(context.db, bindings, totals.runs),
    intervals: intervalsOf(ratioMetricNames, comparison.current),
    change: changesOf(ratioMetricNames, comparison),
    model_changes,
  };
};
