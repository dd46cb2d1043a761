/** The tools that read what no REST resource shows, in the contract's order. */
import type { ParsedParams } from '../params.js';
import type { Infer } from '../schema.js';
import { communityThreads } from './community-threads.js';
import { contentCoverage } from './content-coverage.js';
import { fanouts } from './fanouts.js';
import { offsiteMentions } from './offsite-mentions.js';
import { siteHealth } from './site-health.js';
import { trackedPages } from './tracked-pages.js';
import { visitorStats } from './visitor-stats.js';
import { youtubeCitations } from './youtube-citations.js';

export const toolResources = {
  list_youtube_citations: youtubeCitations,
  list_offsite_mentions: offsiteMentions,
  list_tracked_pages: trackedPages,
  get_site_health: siteHealth,
  get_visitor_stats: visitorStats,
  list_community_threads: communityThreads,
  get_content_coverage: contentCoverage,
  list_fanouts: fanouts,
} as const;

export type ToolResources = typeof toolResources;
export type ToolResourceName = keyof ToolResources;
export type ToolResponseOf<N extends ToolResourceName> = Infer<ToolResources[N]['response']>;
/** Parameters as the reader gets them. */
export type ParsedToolParamsOf<N extends ToolResourceName> = ParsedParams<ToolResources[N]['params']>;

export const toolResourceNames = Object.keys(toolResources) as ToolResourceName[];
