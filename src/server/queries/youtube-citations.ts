import { citedOnDays, urlsOfDomain } from './cited-pages.js';
import { statement } from './statement.js';

export interface CitedVideoRow {
  url: string;
  citations: number;
  answers: number;
  engines: number;
  bestPosition: number;
  positionSum: number;
}

/** The URLs of a domain that are cited in a window and begin with the prefix of canonical video URLs. */
export const citedVideos = statement<
  CitedVideoRow,
  {
    brandKey: number;
    start: string;
    end: string;
    days: readonly string[];
    videoDomain: string;
    prefix: string;
  }
>(
  'cited_videos',
  `with pages as (${urlsOfDomain(':videoDomain')}),
   cited as (
     select x.url_key, sum(x.citations)::bigint as citations, sum(x.answers)::bigint as answers,
       bit_or(x.engines) as engines, min(x.best_position) as best, sum(x.position_sum)::bigint as positions
     from ${citedOnDays('pages')} group by x.url_key
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
