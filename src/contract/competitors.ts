import { brand, paging } from './params.js';
import { brandRef, resource } from './resource.js';
import { flag, fraction, type Infer, list, nullable, number, object, score, text } from './schema.js';

export const competitor = object({
  id: text('Entity id'),
  name: text('Entity name'),
  domain: text('Empty when the competitor has none'),
  is_brand: flag('The brand’s own row'),
  visibility: score('Rank-discounted presence, 0 to 100, rounded to 0.1'),
  share_of_voice: score('Deprecated, frozen: the fraction as a percentage, rounded to 0.1'),
  share_of_voice_fraction: fraction('Mentions among those of all tracked entities, rounded to 0.001'),
  citation_share: nullable(
    fraction('Citations of its pages among all, unrounded; null: none cited or no domain'),
  ),
  sentiment_index: nullable(score('50 is neutral; null: no scored mention')),
  avg_position: nullable(number('Mean 1-based rank where present, unrounded')),
});

export const competitors = resource({
  name: 'competitors',
  tool: 'list_competitors',
  summary: 'The brand and its tracked competitors side by side',
  needsRuns: true,
  params: { brand, ...paging },
  rows: 'competitors',
  response: object({
    brand: brandRef,
    competitors: list(competitor, 'By share of voice, the brand included; pages are ordered by id'),
  }),
});

export type Competitor = Infer<typeof competitor>;
