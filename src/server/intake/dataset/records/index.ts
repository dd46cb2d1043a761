/** Every record type of the dataset format, by its `type` field. The order is that of an export. */
import type { z } from 'zod';
import {
  brand,
  competitor,
  knowledgeBase,
  mark,
  prompt,
  reclassification,
  tagGroup,
  topic,
  workspace,
} from './catalog.js';
import {
  crawlerEvent,
  dailyStat,
  factCheck,
  fanoutVolume,
  offsiteMention,
  referralDay,
  referralView,
  referringDay,
  visitDay,
  youtubeVideo,
} from './observed.js';
import { run } from './run.js';
import type { Descriptor } from './table.js';
import { communityThread, sitePage, trackedPage } from './watched-pages.js';

const types = {
  workspace,
  brand,
  competitor,
  topic,
  prompt,
  tag_group: tagGroup,
  reclassification,
  knowledge_base: knowledgeBase,
  mark,
  run,
  daily_stat: dailyStat,
  youtube_video: youtubeVideo,
  fact_check: factCheck,
  crawler_event: crawlerEvent,
  offsite_mention: offsiteMention,
  tracked_page: trackedPage,
  site_page: sitePage,
  visit_day: visitDay,
  referral_day: referralDay,
  referring_day: referringDay,
  referral_view: referralView,
  community_thread: communityThread,
  fanout_volume: fanoutVolume,
};

export type RecordType = keyof typeof types;
export type RecordOf<T extends RecordType> = z.output<(typeof types)[T]['schema']>;
/** Any record, as on a line of a dataset file. */
export type DatasetRecord = { [T in RecordType]: RecordOf<T> }[RecordType];

export const records: { readonly [T in RecordType]: Descriptor<RecordOf<T>> } = types;
export const descriptorOf = (type: RecordType): Descriptor<DatasetRecord> => types[type];
export const recordTypes = Object.keys(records) as RecordType[];
