import { collectionFault } from '../collection.js';
import { metricChange } from '../intervals.js';
import { measureDefinitions } from '../measures.js';
import { paging, presetDays } from '../params.js';
import { defineRead } from '../read.js';
import {
  count,
  flag,
  fraction,
  type Infer,
  list,
  nullable,
  object,
  part,
  score,
  spread,
  text,
} from '../schema.js';
import { windowOf } from '../slice.js';

/** Days of a summary without `days`. */
export const SUMMARY_DAYS = 28;

export const brandSummary = object(
  {
    window: windowOf('The last days: to today, of an archived brand to the day of its archive'),
    presence_rate: nullable(
      fraction('As in overview of these days; null: not measured', measureDefinitions.presence_rate),
    ),
    visibility: nullable(
      score('As in overview of these days; null: not measured', measureDefinitions.visibility),
    ),
    change: object({ presence_rate: metricChange }, 'Against the window of equal length just before'),
    rank: nullable(
      count('Place by share of voice, 1 first; null: not measured, or no competitor is', {
        group: 'needs',
        name: 'summary.rank',
        what: 'The place of a brand among its tracked brands, by share of voice.',
        formula: '1 + brands with a larger share_of_voice_fraction, as rounded',
        unit: 'rank',
        scale: '1 best',
        empty: 'null: nothing was measured, or there is no competitor to compare with',
      }),
    ),
    ranked: nullable(
      count('Brands compared; null where rank is', {
        group: 'needs',
        name: 'summary.ranked',
        what: 'How many brands are compared: the brand and its measured competitors.',
        formula: 'rows of competitors with a share of voice',
        unit: 'brands',
        empty: 'null where rank is',
      }),
    ),
    needs: nullable(
      count('What needs people, as last counted; null: not counted, and of an archived brand', {
        group: 'needs',
        name: 'summary.needs',
        what: 'How many things of a brand need people.',
        formula:
          'needs of its briefing without parameters, counted each night and soon after its data changed',
        unit: 'needs',
        empty: '0: nothing needs people; null: not counted',
      }),
    ),
  },
  'How the brand is; null without include=summary, and where nothing was ever collected',
);

export const brandEntry = part('A brand that the key can see', {
  id: text('Brand id'),
  name: text('Brand name'),
  domain: text('Brand domain'),
  archived: flag('Collection was stopped; every read keeps answering, data ends at the archive date'),
  collection_fault: collectionFault,
  summary: spread(nullable(brandSummary)),
  workspace_name: nullable(text('Name of its workspace; null: the key sees one workspace only')),
});

export const brands = defineRead({
  path: 'brands',
  tool: 'list_brands',
  summary: 'The brands that the key can see',
  guide:
    'Which brands can I ask about? id is the brand_id of the other tools. archived: its data ends, and every tool still answers. Without any collected answer most tools say Unknown brand id.',
  needsRuns: false,
  params: {
    ...paging,
    include: {
      kind: 'choice',
      values: ['summary'],
      description: 'summary: with the numbers of each brand, in one request',
      brief: 'Numbers of each',
    },
    days: presetDays(SUMMARY_DAYS, 'today; with include=summary'),
  },
  rows: 'brands',
  response: object({ brands: list(brandEntry, 'Oldest first; pages are ordered by id') }),
});

export type BrandEntry = Infer<typeof brandEntry>;
export type BrandSummary = Infer<typeof brandSummary>;
