import { competitorChange, competitorIntervals } from '../intervals.js';
import { averagePositionDefinition, measureDefinitions, percentageDefinition } from '../measures.js';
import { brand, paging } from '../params.js';
import { brandRef, caveats, defineRead, measuredSince } from '../read.js';
import {
  deprecated,
  flag,
  fraction,
  type Infer,
  list,
  nullable,
  number,
  object,
  part,
  score,
  text,
  zeroWhenUnmeasured,
} from '../schema.js';
import { sliced, sliceParams } from '../slice.js';

/** These fields were released without null, so in the plain read 0 may mean that nothing was measured. */
const notMeasured =
  'in a window without runs (run_count 0 in the overview) 0 means not measured; null in a slice without runs, and of an entity whose `measured_since` is later';

export const competitor = part('The brand or a tracked competitor, with its metrics in the window', {
  id: text('Entity id'),
  name: text('Entity name'),
  domain: text('Empty when the competitor has none'),
  is_brand: flag('The brand’s own row'),
  visibility: zeroWhenUnmeasured(
    nullable(
      score(
        `Rank-discounted presence, 0 to 100, rounded to 0.1; ${notMeasured}`,
        measureDefinitions.visibility,
      ),
    ),
  ),
  share_of_voice: deprecated(
    zeroWhenUnmeasured(
      nullable(
        score(
          'Deprecated, frozen: the fraction as a percentage, rounded to 0.1; null where it is',
          percentageDefinition,
        ),
      ),
    ),
    'share_of_voice_fraction',
  ),
  share_of_voice_fraction: zeroWhenUnmeasured(
    nullable(
      fraction(
        `Mentions among those of all tracked entities, rounded to 0.001; 0 when none is mentioned; ${notMeasured}`,
        measureDefinitions.share_of_voice_fraction,
      ),
    ),
  ),
  citation_share: nullable(
    fraction(
      'Citations of its pages among all, unrounded; null: none cited or no domain',
      measureDefinitions.citation_share,
    ),
  ),
  sentiment_index: nullable(
    score('50 is neutral; null: no scored mention', measureDefinitions.sentiment_index),
  ),
  avg_position: nullable(
    number(
      'Mean 1-based rank where present, 1 best, unrounded; null: never present',
      averagePositionDefinition,
    ),
  ),
  intervals: competitorIntervals,
  change: competitorChange,
  measured_since: measuredSince,
});

export const competitors = defineRead({
  path: 'competitors',
  tool: 'list_competitors',
  summary: 'The brand and its tracked competitors side by side',
  guide:
    'Who is ahead of the brand? It (is_brand) and each tracked competitor by share of voice. Fields, scales, verdicts and arguments as in get_overview.',
  needsRuns: true,
  params: { brand, ...paging, ...sliceParams },
  rows: 'competitors',
  response: object({
    brand: brandRef,
    competitors: list(competitor, 'By share of voice, the brand included; pages are ordered by id'),
    ...sliced,
    ...caveats,
  }),
});

export type Competitor = Infer<typeof competitor>;
