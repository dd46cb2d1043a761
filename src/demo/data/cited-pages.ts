/** Generates the other data of cited pages: threads, videos, and pages with tracked ranks. */
import type { DatasetRecord, RecordOf } from '../../server/dataset/records/index.js';
import { timeText } from './calendar.js';
import { SITE } from './espresso/sites.js';
import { threads } from './espresso/threads.js';
import { videos } from './espresso/videos.js';

/** A thread that was not checked has neither a verdict nor the time of a check. */
function* communityThreads(brand: string, checkedAt: string): Generator<RecordOf<'community_thread'>> {
  for (const { url, title, kind, brandInThread } of threads) {
    const verdict =
      brandInThread === undefined ? {} : { brand_in_thread: brandInThread, checked_at: checkedAt };
    yield { type: 'community_thread', brand, url, title, kind, ...verdict };
  }
  for (const { url, title } of videos) yield { type: 'community_thread', brand, url, title, kind: 'video' };
}

function* youtubeVideos(asOf: string): Generator<RecordOf<'youtube_video'>> {
  for (const { id, title, channel, publishedAt, views, likes } of videos) {
    yield {
      type: 'youtube_video',
      video_id: id,
      title,
      ...(channel === undefined ? {} : { channel_id: channel.id, channel_name: channel.name }),
      ...(publishedAt === undefined ? {} : { published_at: publishedAt }),
      ...(views === undefined ? {} : { views, stats_as_of: asOf }),
      ...(likes === undefined ? {} : { likes }),
    };
  }
}

/** Path or address, title, and the rank values if they were ever fetched. */
const tracked: readonly {
  readonly url: string;
  readonly title: string;
  readonly ranks?: readonly number[];
}[] = [
  { url: `${SITE}/`, title: 'Torvello', ranks: [41, 1840] },
  { url: `${SITE}/products/arco`, title: 'Torvello Arco', ranks: [33, 620] },
  { url: `${SITE}/products/piccola`, title: 'Torvello Piccola', ranks: [29, 410] },
  { url: `${SITE}/guides/how-to-descale`, title: 'How To Descale | Torvello', ranks: [24, 0] },
  { url: `${SITE}/compare/arco-vs-lanzaro-primo`, title: 'Torvello Arco vs Lanzaro Primo' },
  {
    url: 'https://www.homegrounds.co/lanzaro-primo-vs-torvello-arco/',
    title: 'Lanzaro Primo vs Torvello Arco',
  },
];
const metrics = ['page_authority', 'organic_visits'];

function* trackedPages(brand: string, fetched_at: string): Generator<RecordOf<'tracked_page'>> {
  for (const { url, title, ranks } of tracked) {
    const values = ranks?.map((value, i) => ({
      provider: 'linkindex',
      metric: metrics[i]!,
      value,
      fetched_at,
    }));
    const stated = values === undefined ? {} : { ranks: values };
    yield { type: 'tracked_page', brand, url, title, added_at: '2026-02-16T08:00:00Z', ...stated };
  }
}

/** The data as of the last check on that day. */
export function* citedPages(brand: string, day: number): Generator<DatasetRecord> {
  yield* communityThreads(brand, timeText(day, 5 * 3600));
  yield* youtubeVideos(timeText(day, 4 * 3600));
  yield* trackedPages(brand, timeText(day, 6 * 3600));
}
