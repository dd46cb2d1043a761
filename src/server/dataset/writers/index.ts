/** The writer of every record type; the compiler checks that none is missing. */
import type { RecordType } from '../records/index.js';
import type { ImportSession } from '../session.js';
import * as catalog from './catalog.js';
import * as observed from './observed.js';
import { writeRuns } from './runs.js';
import type { Lined, TableWriter } from './table-writer.js';
import { upsertRecords } from './upsert.js';

const tableWriters: { [T in Exclude<RecordType, 'run'>]: TableWriter<T> } = {
  workspace: catalog.workspace,
  brand: catalog.brand,
  competitor: catalog.competitor,
  topic: catalog.topic,
  prompt: catalog.prompt,
  tag_group: catalog.tagGroup,
  reclassification: catalog.reclassification,
  knowledge_base: catalog.knowledgeBase,
  daily_stat: observed.dailyStat,
  youtube_video: observed.youtubeVideo,
  fact_check: observed.factCheck,
  crawler_event: observed.crawlerEvent,
  offsite_mention: observed.offsiteMention,
  tracked_page: observed.trackedPage,
  site_page: observed.sitePage,
  visit_day: observed.visitDay,
  community_thread: observed.communityThread,
  fanout_volume: observed.fanoutVolume,
};

/** Writes records of one type. */
export async function write<T extends RecordType>(
  session: ImportSession,
  type: T,
  batch: readonly Lined<T>[],
): Promise<void> {
  if (type === 'run') return writeRuns(session, batch as unknown as readonly Lined<'run'>[]);
  const writer = tableWriters[type as Exclude<RecordType, 'run'>] as unknown as TableWriter<T>;
  await upsertRecords(session, type, writer, batch);
}
