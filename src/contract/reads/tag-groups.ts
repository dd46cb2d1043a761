import { brand } from '../params.js';
import { object } from '../schema.js';
import { prompts } from './prompts.js';

/** The tool that returns only the tag groups of the prompts read; over REST they are part of the prompts. */
export const tagGroups = {
  tool: 'list_tag_groups',
  follows: 'prompts',
  summary: 'The tag groups of the brand’s prompts',
  guide:
    'Which tags do prompts have, in which groups? Those that an active prompt carries. No group does not mean no tag. Read-only.',
  needsRuns: prompts.needsRuns,
  params: { brand },
  response: object({
    brand: prompts.response.fields.brand,
    tag_groups: prompts.response.fields.tag_groups,
  }),
} as const;
