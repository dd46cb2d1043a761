import { blendedEngineIds, enginesOfMask } from '../../../contract/engines.js';
import { noted } from '../../../contract/notes.js';
import { compareText } from '../../../contract/order.js';
import type { CitedVideo } from '../../../contract/reads/youtube.js';
import { statement } from '../../base/statement.js';
import { VIDEO_DOMAIN, VIDEO_PREFIX, youtubeVideoId } from '../citations/canonical-url.js';
import { citedSums, urlsOfDomain } from '../sums/cited-pages.js';
import { type LastDays, ofLastDays } from './reader.js';
import { noRunsNote } from './slice-days.js';

interface CitedVideoRow {
  url: string;
  citations: number;
  answers: number;
  engines: number;
  bestPosition: number;
  positionSum: number;
}

/** The URLs of a domain that are cited in a window and begin with the prefix of canonical video URLs. */
export const citedVideos = statement<CitedVideoRow, LastDays & { videoDomain: string; prefix: string }>(
  'cited_videos',
  `with pages as (${urlsOfDomain(':videoDomain')}),
   cited as (
     ${citedSums('pages', ', min(x.best_position) as best, sum(x.position_sum)::bigint as positions')}
   )
   select u.url, c.citations, c.answers, c.engines, c.best as "bestPosition", c.positions as "positionSum"
   from cited c
   join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
   where starts_with(u.url, :prefix)`,
);

interface VideoFacts {
  videoId: string;
  title: string | null;
  channelId: string | null;
  channelName: string | null;
  publishedAt: Date | null;
  views: number | null;
  likes: number | null;
  statsAsOf: Date | null;
}

/** The stored facts about some videos, as the vendor stated them. */
const videoFacts = statement<VideoFacts, { videoIds: readonly string[] }>(
  'video_facts',
  `select video_id as "videoId", title, channel_id as "channelId", channel_name as "channelName",
     published_at as "publishedAt", views, likes, stats_as_of as "statsAsOf"
   from youtube_videos where video_id = any(:videoIds)`,
);

export const reader = ofLastDays<'youtube-citations'>(async (context, window) => {
  const { db } = context;
  const [rows, noRuns] = await Promise.all([
    citedVideos(db, { ...window, videoDomain: VIDEO_DOMAIN, prefix: VIDEO_PREFIX }),
    noRunsNote(context, blendedEngineIds, window),
  ]);
  const cited = rows.flatMap((row) => {
    const id = youtubeVideoId(row.url);
    return id === null ? [] : { id, row };
  });
  const facts = await videoFacts(db, { videoIds: cited.map(({ id }) => id) });
  const factsOf = new Map(facts.map((stated) => [stated.videoId, stated]));
  const videos = cited
    .sort((a, b) => b.row.citations - a.row.citations || compareText(a.id, b.id))
    .map(({ id, row }) => videoOf(id, row, factsOf.get(id)));
  return { videos, ...noted([noRuns]) };
});

const videoOf = (id: string, row: CitedVideoRow, stated: VideoFacts | undefined): CitedVideo => ({
  video_id: id,
  url: row.url,
  title: stated?.title ?? null,
  channel_id: stated?.channelId ?? null,
  channel_name: stated?.channelName ?? null,
  engines: enginesOfMask(row.engines),
  citations: row.citations,
  answers: row.answers,
  best_position: row.bestPosition,
  avg_position: row.positionSum / row.citations,
  published_at: stated?.publishedAt?.toISOString() ?? null,
  views: stated?.views ?? null,
  likes: stated?.likes ?? null,
  stats_as_of: stated?.statsAsOf?.toISOString() ?? null,
});
