import { statement } from './statement.js';

export interface CitedVideoRow {
  url: string;
  citations: number;
  answers: number;
  engines: number;
  bestPosition: number;
  positionSum: number;
}

/** The cited URLs of a window that begin with the prefix of canonical video URLs. */
export const citedVideos = statement<
  CitedVideoRow,
  { brandKey: number; start: string; end: string; prefix: string }
>(
  'cited_videos',
  `with cited as (
     select url_key, sum(citations)::bigint as citations, sum(answers)::bigint as answers,
       bit_or(engines) as engines, min(best_position) as best, sum(position_sum)::bigint as positions
     from day_url where brand_key = :brandKey and day between :start and :end group by url_key
   )
   select u.url, c.citations, c.answers, c.engines, c.best as "bestPosition", c.positions as "positionSum"
   from cited c
   join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
   where starts_with(u.url, :prefix)`,
);

export interface VideoFacts {
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
export const videoFacts = statement<VideoFacts, { videoIds: readonly string[] }>(
  'video_facts',
  `select video_id as "videoId", title, channel_id as "channelId", channel_name as "channelName",
     published_at as "publishedAt", views, likes, stats_as_of as "statsAsOf"
   from youtube_videos where video_id = any(:videoIds)`,
);
