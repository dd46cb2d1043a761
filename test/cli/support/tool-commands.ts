import type { ToolName } from '../../../src/contract/tools.js';

/** The commands that print a tool without a REST twin. */
export const toolCommands: readonly (readonly [command: string, tool: ToolName])[] = [
  ['fanouts', 'list_fanouts'],
  ['youtube', 'list_youtube_citations'],
  ['offsite', 'list_offsite_mentions'],
  ['tracked-pages', 'list_tracked_pages'],
  ['site-health', 'get_site_health'],
  ['visitors', 'get_visitor_stats'],
  ['threads', 'list_community_threads'],
  ['coverage', 'get_content_coverage'],
];
