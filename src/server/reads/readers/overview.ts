import { blendedEngineIds } from '../../../contract/engines.js';
import { LOW_CONFIDENCE_BELOW_RUNS, WINDOW_DAYS } from '../../../contract/limits.js';
import { windowBefore, windowEnding } from '../../days.js';
import * as metric from '../../metrics/entity-metrics.js';
import { round } from '../../metrics/rounding.js';
import { entitySums } from '../../queries/entity-sums.js';
import { windowHasRuns, windowSums } from '../../queries/window-sums.js';
import { brandRefOf, type Compute } from '../reader.js';

const NOTHING_MEASURED = `No answer was collected in the last ${WINDOW_DAYS} days: the zeros here stand for “not measured”.`;

/** The fields whose type has no null are 0 where nothing was measured; run_count 0 and the note say so. */
export const readOverview: Compute<'overview'> = async ({ db, brand, today }) => {
  const window = windowEnding(today);
  const bindings = { brandKey: brand.key, engines: blendedEngineIds };
  const [[sums], entities, [prior]] = await Promise.all([
    windowSums(db, { ...bindings, ...window }),
    entitySums(db, { ...bindings, ...window }),
    windowHasRuns(db, { ...bindings, ...windowBefore(window) }),
  ]);
  const own = entities.find((row) => row.entity === 0) ?? metric.NO_SUMS;
  return {
    brand: brandRefOf(brand),
    window_days: WINDOW_DAYS,
    run_count: sums!.runs,
    visibility: round(metric.visibility(own, sums!.runs) ?? 0, 1),
    presence_rate: round(metric.presenceRate(own, sums!.runs) ?? 0, 3),
    share_of_voice: round(metric.shareOfVoicePercent(own, sums!) ?? 0, 1),
    share_of_voice_fraction: round(metric.shareOfVoice(own, sums!) ?? 0, 3),
    citation_share: metric.citationShare(own, sums!, brand.domain !== ''),
    sentiment_index: round(metric.sentimentIndex(own), 1),
    avg_position: metric.avgPosition(own),
    low_confidence: sums!.runs < LOW_CONFIDENCE_BELOW_RUNS,
    has_prior_window: prior!.hasRuns,
    note: sums!.runs === 0 ? NOTHING_MEASURED : null,
  };
};
