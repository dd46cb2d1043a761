import { citationCount, citingAnswers } from '../citations.js';
import { NONE } from '../definition.js';
import { engineIds } from '../engines.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead, windowDays } from '../read.js';
import { count, type Infer, list, nullable, number, object, oneOfOrNewer, part, text } from '../schema.js';
import { lastDaysParam } from '../slice.js';
import { lastDays } from '../wording.js';

export const citedVideo = part('A cited YouTube video', {
  video_id: text('YouTube video id', 'video'),
  url: text('Canonical address of the video; every spelling of it is counted here'),
  title: nullable(text('Title as the vendor stated it; null: not stated')),
  channel_id: nullable(
    text('Channel id as the vendor stated it, never guessed from a name; null: not stated'),
  ),
  channel_name: nullable(text('Channel name as the vendor stated it; null: not stated', 'channel')),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines that cite it'),
  citations: count('Citations in the window', citationCount),
  answers: count('Distinct answers that cite it', citingAnswers),
  best_position: count('Smallest 1-based place among the citations of an answer', {
    what: 'The best place of the video in a citation list; 1 is first.',
    formula: 'the smallest place',
    unit: 'rank',
    empty: 'never null: only cited videos are listed',
  }),
  avg_position: number('Mean 1-based place over its citations, unrounded', {
    name: 'youtube-citations.avg_position',
    what: 'The mean place of the video in the citation lists of answers; 1 is first.',
    formula: 'Σ place / citations of the video',
    denominator: 'citations of the video',
    unit: 'rank',
    scale: '1 and up',
    empty: 'never null: only cited videos are listed',
  }),
  published_at: nullable(text('When it was published, ISO 8601; null: not stated', 'published')),
  views: nullable(
    count('Views as of stats_as_of; null: not stated', {
      what: 'Views of the video as of stats_as_of.',
      formula: 'as the vendor states it',
      unit: 'views',
      rounding: NONE,
      empty: 'null: not stated',
    }),
  ),
  likes: nullable(
    count('Likes as of stats_as_of; null: not stated', {
      what: 'Likes of the video as of stats_as_of.',
      formula: 'as the vendor states it',
      unit: 'likes',
      rounding: NONE,
      empty: 'null: not stated',
    }),
  ),
  stats_as_of: nullable(text('When the vendor stated views and likes, ISO 8601; null: not stated', 'as of')),
});

export const youtubeCitations = defineRead({
  tool: 'list_youtube_citations',
  group: 'citations',
  mainRows: { at: ['videos'] },
  summary: 'The YouTube videos that answers cite, with channel, positions and vendor-stated statistics',
  guide: `Which YouTube videos do answers cite? Over the ${lastDays}, most cited first. Positions are 1-based places among the citations. What the vendor did not state is null, never zero.`,
  needsRuns: false,
  params: { brand, days: lastDaysParam },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    videos: list(citedVideo, 'By citations descending, then by video id'),
    ...caveats,
  }),
});

export type CitedVideo = Infer<typeof citedVideo>;
