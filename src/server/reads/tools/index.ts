/** The reader of every tool without a REST twin; the compiler checks that none is missing. */
import type { ToolResourceName } from '../../../contract/tools/registry.js';
import { readCommunityThreads } from '../readers/community-threads.js';
import { readContentCoverage } from '../readers/content-coverage.js';
import { readFanouts } from '../readers/fanouts.js';
import { readOffsiteMentions } from '../readers/offsite-mentions.js';
import { readSiteHealth } from '../readers/site-health.js';
import { readTrackedPages } from '../readers/tracked-pages.js';
import { readVisitorStats } from '../readers/visitor-stats.js';
import { readYoutubeCitations } from '../readers/youtube-citations.js';
import type { ToolReader } from './tool-reader.js';

export const toolReaders: { readonly [N in ToolResourceName]: ToolReader<N> } = {
  list_youtube_citations: readYoutubeCitations,
  list_offsite_mentions: readOffsiteMentions,
  list_tracked_pages: readTrackedPages,
  get_site_health: readSiteHealth,
  get_visitor_stats: readVisitorStats,
  list_community_threads: readCommunityThreads,
  get_content_coverage: readContentCoverage,
  list_fanouts: readFanouts,
};
