/** The exporter of every record type; the compiler checks that none is missing. */
import type { RecordType } from '../records/index.js';
import * as catalog from './catalog.js';
import type { Exporter } from './exporter.js';
import * as observed from './observed.js';
import { prompt } from './prompts.js';
import { run } from './runs.js';
import * as pages from './watched-pages.js';

export const exporters: { readonly [T in RecordType]: Exporter<T> } = {
  workspace: catalog.workspace,
  brand: catalog.brand,
  competitor: catalog.competitor,
  topic: catalog.topic,
  prompt,
  tag_group: catalog.tagGroup,
  reclassification: catalog.reclassification,
  knowledge_base: catalog.knowledgeBase,
  run,
  daily_stat: observed.dailyStat,
  youtube_video: observed.youtubeVideo,
  fact_check: observed.factCheck,
  crawler_event: observed.crawlerEvent,
  offsite_mention: observed.offsiteMention,
  tracked_page: pages.trackedPage,
  site_page: pages.sitePage,
  visit_day: observed.visitDay,
  community_thread: pages.communityThread,
  fanout_volume: observed.fanoutVolume,
};
