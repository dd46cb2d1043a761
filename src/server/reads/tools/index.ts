/** The reader of every tool without a REST twin; the compiler checks that none is missing. */
import type { ToolResourceName } from '../../../contract/tools/registry.js';
import { readCommunityThreads } from './community-threads.js';
import { readContentCoverage } from './content-coverage.js';
import { readFanouts } from './fanouts.js';
import { readOffsiteMentions } from './offsite-mentions.js';
import { readSiteHealth } from './site-health.js';
import type { ToolReader } from './tool-reader.js';
import { readTrackedPages } from './tracked-pages.js';
import { readVisitorStats } from './visitor-stats.js';
import { readYoutubeCitations } from './youtube-citations.js';

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
