import { averagePositionDefinition, measureDefinitions } from '../measures.js';
import { brand, paging } from '../params.js';
import { brandRef, caveats, defineRead, runCount } from '../read.js';
import {
  count,
  deprecated,
  fraction,
  type Infer,
  list,
  nullable,
  number,
  object,
  pair,
  part,
  score,
  text,
} from '../schema.js';
import { blendedOrEngines, sliced, windowRange } from '../slice.js';

export const tagGroup = part('A group of tags', {
  id: text('Tag-group id'),
  name: text('Group name'),
  color: text('#rrggbb'),
  tags: list(text('Tag'), 'Member tags that an active prompt carries'),
});

export const prompt = part('An active prompt with its results in the window', {
  id: text('Prompt id'),
  text: text('The prompt', 'prompt'),
  stage: text('Funnel stage, or an em-dash'),
  topic: deprecated(
    nullable(text('Frozen legacy field: the first tag; null: no tag')),
    'tags, or topic_id and topic_name',
  ),
  topic_id: nullable(text('Topic folder id; null: in no folder')),
  topic_name: nullable(text('Topic folder name; null: in no folder')),
  tags: list(text('Tag'), 'Free-text tags'),
  est_volume: nullable(
    number('Legacy point estimate of volume, AI asks a month; null: not estimated', {
      what: 'How often people ask the prompt.',
      formula: 'as the dataset states it',
      unit: 'asks a month',
      scale: '0 and up',
      empty: 'null: not estimated',
    }),
  ),
  est_volume_band: nullable(
    pair(
      number('AI asks a month', {
        head: 'asks a month',
        what: 'The range of the estimate, low and high.',
        formula: 'as the dataset states it',
        unit: 'asks a month',
        scale: '0 and up',
        empty: 'null: not estimated',
      }),
      'Demand band [low, high], AI asks a month; null: not estimated',
    ),
  ),
  volume_confidence: nullable(text('Confidence tier of the estimate; null: not stated')),
  matched_gsc_query: nullable(text('Search-console query behind a measured tier; null: none')),
  gsc_impressions_28d: nullable(
    number('28-day site impressions of that query; null: not measured', {
      what: 'Impressions of the site for the query of the prompt over 28 days.',
      formula: 'as the search console states it',
      unit: 'impressions',
      scale: '0 and up',
      empty: 'null: not measured',
    }),
  ),
  presence_rate: nullable(
    fraction(
      'Share of runs with the brand, rounded to 0.001; null: no run in the window',
      measureDefinitions.presence_rate,
    ),
  ),
  visibility: nullable(
    score(
      'Rank-discounted presence, 0 to 100, rounded to an integer; null: no run in the window',
      measureDefinitions.visibility,
    ),
  ),
  avg_position: nullable(
    number(
      'Mean 1-based rank where present, 1 best, unrounded; null: never present',
      averagePositionDefinition,
    ),
  ),
  run_count: count('Runs behind the row; 0: never sampled in the window', runCount),
});

export const prompts = defineRead({
  path: 'prompts',
  tool: 'list_prompts',
  group: 'coverage',
  summary: 'Every active prompt with presence, visibility and position',
  sdkNote: 'Null means not sampled, see `promptState`.',
  guide:
    'On which prompts is the brand named? Every active prompt. run_count 0 with presence_rate null: never asked in the window; presence_rate 0 with runs: absent every time. Volumes are null unless estimated.',
  needsRuns: true,
  params: { brand, ...paging, ...windowRange, engine: blendedOrEngines },
  rows: 'prompts',
  response: object({
    brand: brandRef,
    tag_groups: list(tagGroup, 'In creation order; empty: none is defined'),
    prompts: list(prompt, 'All active prompts, oldest first; pages are ordered by id'),
    ...sliced,
    ...caveats,
  }),
});

export type TagGroup = Infer<typeof tagGroup>;
export type Prompt = Infer<typeof prompt>;
