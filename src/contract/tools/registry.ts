/** The tools that read what no REST resource shows, in the contract's order. */
import type { ParsedParams } from '../params.js';
import { communityThreads } from '../reads/community-threads.js';
import { contentCoverage } from '../reads/content-coverage.js';
import { fanouts } from '../reads/fanouts.js';
import { offsiteMentions } from '../reads/offsite-mentions.js';
import { siteHealth } from '../reads/site-health.js';
import { trackedPages } from '../reads/tracked-pages.js';
import { visitorStats } from '../reads/visitor-stats.js';
import { youtubeCitations } from '../reads/youtube-citations.js';
import type { Infer } from '../schema.js';

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
