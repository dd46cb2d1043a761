import { brand, paging } from '../params.js';
import { brandRef, defineRead } from '../read.js';
import { count, fraction, type Infer, list, nullable, number, object, pair, score, text } from '../schema.js';
import { lastDays } from '../wording.js';

export const tagGroup = object({
  id: text('Tag-group id'),
  name: text('Group name'),
  color: text('#rrggbb'),
  tags: list(text('Tag'), 'Member tags that an active prompt carries'),
});

export const prompt = object({
  id: text('Prompt id'),
  text: text('The prompt'),
  stage: text('Funnel stage, or an em-dash'),
  topic: nullable(text('Frozen legacy field: the first tag')),
  topic_id: nullable(text('Topic folder id')),
  topic_name: nullable(text('Topic folder name')),
  tags: list(text('Tag'), 'Free-text tags'),
  est_volume: nullable(number('Legacy point estimate of volume')),
  est_volume_band: nullable(pair(number('AI asks a month'), 'Demand band [low, high], AI asks a month')),
  volume_confidence: nullable(text('Confidence tier of the estimate')),
  matched_gsc_query: nullable(text('Search-console query behind a measured tier')),
  gsc_impressions_28d: nullable(number('28-day site impressions of that query')),
  presence_rate: nullable(
    fraction('Share of runs with the brand, rounded to 0.001; null: no run in the window'),
  ),
  visibility: nullable(score('Rounded to an integer; null: no run in the window')),
  avg_position: nullable(number('Mean 1-based rank where present, unrounded')),
  run_count: count('Blended runs behind the row; 0: never sampled in the window'),
});

export const prompts = defineRead({
  path: 'prompts',
  tool: 'list_prompts',
  summary: 'Every active prompt with presence, visibility and position',
  guide: `Each with tags, topic folder, demand and the brand’s results over the ${lastDays} (blended engines); prompts without an answer that mentions the brand included. presence_rate is 0 to 1, visibility 0 to 100, avg_position a mean rank with 1 best. run_count 0 with presence_rate null means never sampled in the window; presence_rate 0 with runs means sampled and absent every time. Do not mix the two. get_content_coverage says who is cited on each prompt. Volumes are null unless estimated.`,
  needsRuns: true,
  params: { brand, ...paging },
  rows: 'prompts',
  response: object({
    brand: brandRef,
    tag_groups: list(tagGroup, 'In creation order; empty: none is defined'),
    prompts: list(prompt, 'All active prompts, oldest first; pages are ordered by id'),
  }),
});

export type TagGroup = Infer<typeof tagGroup>;
export type Prompt = Infer<typeof prompt>;
