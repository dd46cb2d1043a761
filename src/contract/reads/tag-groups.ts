import { brand } from '../params.js';
import { object } from '../schema.js';
import { prompts } from './prompts.js';

/** The tool that returns only the tag groups of the prompts read; over REST they are part of the prompts. */
export const tagGroups = {
  tool: 'list_tag_groups',
  follows: 'prompts',
  summary: 'The tag groups of the brand’s prompts',
  guide:
    'Only the tag_groups block of list_prompts, all groups in creation order: id, name, color, and the member tags that an active prompt carries. Groups are keyed by the literal tag; a tag in no group is ungrouped. An empty list means that no group is defined, not that prompts have no tags. Read-only.',
  needsRuns: prompts.needsRuns,
  params: { brand },
  response: object({
    brand: prompts.response.fields.brand,
    tag_groups: prompts.response.fields.tag_groups,
  }),
} as const;
