import { engineIds } from '../engines.js';
import { WINDOW_DAYS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, defineRead, note } from '../read.js';
import { count, type Infer, list, nullable, number, object, oneOfOrNewer, part, text } from '../schema.js';
import { lastDays } from '../wording.js';

export const citedVideo = part('A cited YouTube video', {
  video_id: text('YouTube video id'),
  url: text('Canonical address of the video; every spelling of it is counted here'),
  title: nullable(text('Title as the vendor stated it; null: not stated')),
  channel_id: nullable(
    text('Channel id as the vendor stated it, never guessed from a name; null: not stated'),
  ),
  channel_name: nullable(text('Channel name as the vendor stated it; null: not stated')),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines that cite it'),
  citations: count('Citations in the window'),
  answers: count('Distinct answers that cite it'),
  best_position: count('Smallest 1-based place among the citations of an answer'),
  avg_position: number('Mean 1-based place over its citations, unrounded'),
  published_at: nullable(text('When it was published, ISO 8601; null: not stated')),
  views: nullable(count('Views as of stats_as_of; null: not stated')),
  likes: nullable(count('Likes as of stats_as_of; null: not stated')),
  stats_as_of: nullable(text('When the vendor stated views and likes, ISO 8601; null: not stated')),
});

export const youtubeCitations = defineRead({
  tool: 'list_youtube_citations',
  mainRows: { at: ['videos'] },
  summary: 'The YouTube videos that answers cite, with channel, positions and vendor-stated statistics',
  guide: `Over the ${lastDays} (blended engines), most cited first; every spelling of a video’s address counts as one video. best_position and avg_position are 1-based places in an answer’s citation list. Title, channel, views and likes are what the vendor stated: null means not stated, never zero; a channel id is a real one or null.`,
  needsRuns: false,
  params: { brand },
  response: object({
    brand: brandRef,
    window_days: count(`Always ${WINDOW_DAYS}`),
    videos: list(citedVideo, 'By citations descending, then by video id'),
    note,
  }),
});

export type CitedVideo = Infer<typeof citedVideo>;
