/**
 * Every record type of the dataset format, by its `type` field: the list that the writers and exporters are checked
 * against. The order is that of an export.
 */
import type { z } from 'zod';
import * as catalog from './catalog.js';
import * as observed from './observed.js';
import { run } from './run.js';
import * as watchedPages from './watched-pages.js';

export const records = {
  workspace: catalog.workspace,
  brand: catalog.brand,
  competitor: catalog.competitor,
  topic: catalog.topic,
  prompt: catalog.prompt,
  tag_group: catalog.tagGroup,
  reclassification: catalog.reclassification,
  knowledge_base: catalog.knowledgeBase,
  run,
  daily_stat: observed.dailyStat,
  youtube_video: observed.youtubeVideo,
  fact_check: observed.factCheck,
  crawler_event: observed.crawlerEvent,
  offsite_mention: observed.offsiteMention,
  tracked_page: watchedPages.trackedPage,
  site_page: watchedPages.sitePage,
  visit_day: observed.visitDay,
  community_thread: watchedPages.communityThread,
  fanout_volume: observed.fanoutVolume,
} as const;

export type RecordType = keyof typeof records;
export type RecordOf<T extends RecordType> = z.infer<(typeof records)[T]>;
/** Any record, as on a line of a dataset file. */
export type DatasetRecord = { [T in RecordType]: RecordOf<T> }[RecordType];

export const recordTypes = Object.keys(records) as RecordType[];
