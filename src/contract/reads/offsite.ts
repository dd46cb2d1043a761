import { brand } from '../params.js';
import { brandRef, caveats, defineRead, totalRows } from '../read.js';
import { count, flag, type Infer, list, nullable, object, oneOf, part, text } from '../schema.js';

export const offsiteKinds = ['web', 'news'] as const;

export const offsiteMention = part('A finding on the web or in the news', {
  id: text('Id of the finding'),
  week: text('Monday of the week that it was found for, YYYY-MM-DD', 'week of'),
  kind: oneOf(offsiteKinds, 'Where it was found'),
  entity: text('Name of the brand or competitor that was searched for'),
  is_brand: flag('The entity is the brand itself'),
  title: text('Title of the page'),
  url: text('Address of the page'),
  domain: nullable(text('Host of the address without www.; null: no web address')),
  found_at: text('When it was found, ISO 8601', 'found'),
});

export const offsiteMentions = defineRead({
  tool: 'list_offsite_mentions',
  group: 'citations',
  mainRows: { at: ['mentions'] },
  summary:
    'Weekly web and news findings for the names of the brand and its competitors: leads, not verified mentions',
  guide:
    'Who writes about the brand and its competitors? Weekly web and news findings by name: leads, not verified. Open the url before you rely on one.',
  needsRuns: false,
  params: { brand },
  response: object({
    brand: brandRef,
    total: count('Findings on the whole ledger', totalRows),
    mentions: list(offsiteMention, 'All of them: newest week first, within a week the newest finding first'),
    ...caveats,
  }),
});

export type OffsiteMention = Infer<typeof offsiteMention>;
