import { engineIds } from '../engines.js';
import { SEARCH_ENGINES } from '../glossary.js';
import { quoteVerdict, scorecardChange, scorecardIntervals } from '../intervals.js';
import { averagePositionDefinition, measureDefinitions, percentageDefinition } from '../measures.js';
import { modelChanges } from '../model-changes.js';
import { brand, engineFilter } from '../params.js';
import { brandRef, caveats, defineRead, lowConfidence, runCount, windowDays } from '../read.js';
import {
  count,
  deprecated,
  flag,
  fraction,
  type Infer,
  nullable,
  number,
  object,
  score,
  zeroWhenUnmeasured,
} from '../schema.js';
import { sliced, sliceParams } from '../slice.js';
import { shownInWindow, surfacesOfWindow } from '../surfaces.js';
import { lastDays, searchGrounded } from '../wording.js';

/** These fields were released without null, so in the plain read 0 may mean that nothing was measured. */
const notMeasured = '0 with run_count 0 means not measured; null only in a slice without runs';

export const overview = defineRead({
  path: 'overview',
  tool: 'get_overview',
  summary: `The visibility scorecard of one brand over the ${lastDays}`,
  sdkNote: 'Parameters choose a slice of its runs.',
  guide: `How visible is the brand in AI answers, and did that move? Over the ${lastDays}, the ${searchGrounded} blended, unless arguments choose other runs. visibility and sentiment_index (50 neutral) are 0 to 100, rates and shares 0 to 1, avg_position 1 best; null is not measured, never 0. ${quoteVerdict}`,
  needsRuns: true,
  params: {
    brand,
    ...sliceParams,
    engine: engineFilter(SEARCH_ENGINES, `Ids, by commas: ${engineIds.join(', ')}`),
  },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    run_count: count('Runs in the window; without an engine filter of the blended engines', runCount),
    visibility: zeroWhenUnmeasured(
      nullable(
        score(
          `Rank-discounted presence, 0 to 100, rounded to 0.1; ${notMeasured}`,
          measureDefinitions.visibility,
        ),
      ),
    ),
    presence_rate: zeroWhenUnmeasured(
      nullable(
        fraction(
          `Share of runs that mention the brand, rounded to 0.001; ${notMeasured}`,
          measureDefinitions.presence_rate,
        ),
      ),
    ),
    share_of_voice: deprecated(
      zeroWhenUnmeasured(
        nullable(
          score(
            'Deprecated, frozen: share_of_voice_fraction as a percentage, rounded to 0.1; null where it is',
            percentageDefinition,
          ),
        ),
      ),
      'share_of_voice_fraction',
    ),
    share_of_voice_fraction: zeroWhenUnmeasured(
      nullable(
        fraction(
          `Mentions of the brand among all tracked entities, rounded to 0.001; 0 when none is mentioned; ${notMeasured}`,
          measureDefinitions.share_of_voice_fraction,
        ),
      ),
    ),
    citation_share: nullable(
      fraction(
        'Citations of the brand’s own pages among all; null when none was cited',
        measureDefinitions.citation_share,
      ),
    ),
    sentiment_index: nullable(
      score('50 is neutral; null when no mention was scored', measureDefinitions.sentiment_index),
    ),
    avg_position: nullable(
      number(
        'Mean 1-based rank where present, unrounded; null when never present',
        averagePositionDefinition,
      ),
    ),
    low_confidence: lowConfidence,
    has_prior_window: flag('The window of equal length before has runs', {
      group: 'sample',
      what: 'Whether the window of equal length just before has data.',
      formula: 'the prior window has a run in scope',
      empty: 'false',
    }),
    ...caveats,
    surfaces: surfacesOfWindow,
    shown: shownInWindow,
    intervals: scorecardIntervals,
    change: scorecardChange,
    model_changes: modelChanges,
    ...sliced,
  }),
});

export type Overview = Infer<typeof overview.response>;
