import { collectionFault } from '../collection.js';
import { paging } from '../params.js';
import { defineRead } from '../read.js';
import { flag, type Infer, list, object, part, text } from '../schema.js';

export const brandEntry = part('A brand that the key can see', {
  id: text('Brand id'),
  name: text('Brand name'),
  domain: text('Brand domain'),
  archived: flag('Collection was stopped; every read keeps answering, data ends at the archive date'),
  collection_fault: collectionFault,
});

export const brands = defineRead({
  path: 'brands',
  tool: 'list_brands',
  summary: 'The brands that the key can see',
  guide:
    'Which brands can I ask about? id is the brand_id of the other tools. archived: its data ends, and every tool still answers. Without any collected answer most tools say Unknown brand id.',
  needsRuns: false,
  params: paging,
  rows: 'brands',
  response: object({ brands: list(brandEntry, 'Oldest first; pages are ordered by id') }),
});

export type BrandEntry = Infer<typeof brandEntry>;
