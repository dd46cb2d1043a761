import { lengthOf } from '../days.js';
import { entitiesOf } from '../entities.js';
import {
  averagePosition,
  citationShare,
  presenceRate,
  sentimentIndex,
  shareOfVoice,
  shareOfVoicePercent,
  visibility,
} from '../formulas.js';
import type { Collected } from '../intervals.js';
import { expectedUncertainty, measuredIn } from '../intervals.js';
import type { ExpectedModelChange } from '../model-changes.js';
import { expectedModelChanges } from '../model-changes.js';
import type { SliceParams } from '../parameters.js';
import type { DatasetRecord } from '../records.js';
import { recordsOfBrand } from '../records.js';
import { roundTo } from '../rounding.js';
import type { BrandReference, Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import type { ExpectedShown } from '../shown.js';
import { expectedShown } from '../shown.js';
import type { Echo } from '../slices.js';
import { chosenRuns } from '../slices.js';
import { tally } from '../tally.js';
import type { UrlRules } from '../url-rules/url-rules.js';

export interface ExpectedOverview extends Echo {
  brand: BrandReference;
  window_days: number;
  run_count: number;
  visibility: number | null;
  presence_rate: number | null;
  share_of_voice: number | null;
  share_of_voice_fraction: number | null;
  citation_share: number | null;
  sentiment_index: number | null;
  avg_position: number | null;
  low_confidence: boolean;
  has_prior_window: boolean;
  surfaces: { surface: string | null; run_count: number }[];
  shown: ExpectedShown | null;
  intervals: object;
  change: object;
  model_changes: ExpectedModelChange[];
}

/** The body of overview; null = 404 Unknown brand. A note is `WORDS`. */
export function expectedOverview(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
  slice: SliceParams = {},
): ExpectedOverview | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const { window, prior, counts, runs, priorRuns, unshown, isNothing, echo } = chosenRuns(
    records,
    brand,
    scope.today,
    slice,
  );
  const entities = entitiesOf(records, brand);
  const all = entities.map((entity) => tally(runs, entity, rules));
  const own = all[0]!;
  const index = sentimentIndex(own);
  /** Zero stands for "not measured" only in a plain request. */
  const measured = (value: number) => (isNothing ? null : value);
  const inWindow = (collected: Collected) => measuredIn(collected, entities, rules)(entities[0]!);
  return {
    brand: referenceTo(brand),
    window_days: lengthOf(window),
    run_count: own.runs,
    visibility: measured(roundTo(visibility(own) ?? 0, 1)),
    presence_rate: measured(roundTo(presenceRate(own) ?? 0, 3)),
    share_of_voice: measured(roundTo(shareOfVoicePercent(own, all), 1)),
    share_of_voice_fraction: measured(roundTo(shareOfVoice(own, all), 3)),
    citation_share: citationShare(own, entities[0]!),
    sentiment_index: index === null ? null : roundTo(index, 1),
    avg_position: averagePosition(own),
    low_confidence: own.runs < 5,
    has_prior_window: priorRuns.length > 0,
    ...expectedUncertainty(
      ['visibility', 'presence_rate', 'share_of_voice_fraction', 'citation_share', 'sentiment_index'],
      inWindow({ window, runs }),
      inWindow({ window: prior, runs: priorRuns }),
    ),
    model_changes: expectedModelChanges(recordsOfBrand(records, 'run', brand.id), counts, window),
    shown: expectedShown({ window, runs, unshown }),
    surfaces: (['api', 'ui', 'serp', null] as const)
      .map((surface) => ({
        surface,
        run_count: runs.filter((run) => (run.surface ?? null) === surface).length,
      }))
      .filter(({ run_count }) => run_count > 0),
    ...echo,
  };
}
