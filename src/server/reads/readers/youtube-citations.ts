import { blendedEngineIds, enginesOfMask } from '../../../contract/engines.js';
import { WINDOW_DAYS } from '../../../contract/limits.js';
import type { CitedVideo } from '../../../contract/reads/youtube-citations.js';
import { compareText } from '../../../contract/text-order.js';
import { VIDEO_DOMAIN, VIDEO_PREFIX } from '../../citations/content-keys/youtube.js';
import { youtubeVideoId } from '../../citations/content-keys.js';
import { everyDayOf, windowEnding } from '../../days.js';
import {
  type CitedVideoRow,
  citedVideos,
  type VideoFacts,
  videoFacts,
} from '../../queries/youtube-citations.js';
import { brandRefOf, type Compute } from '../reader.js';
import { noRunsNote } from './no-runs-note.js';

export const readYoutubeCitations: Compute<'youtube-citations'> = async (context) => {
  const { db, brand, today } = context;
  const window = windowEnding(today);
  const [rows, note] = await Promise.all([
    citedVideos(db, {
      brandKey: brand.key,
      ...window,
      days: everyDayOf(window),
      videoDomain: VIDEO_DOMAIN,
      prefix: VIDEO_PREFIX,
    }),
    noRunsNote(context, blendedEngineIds),
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
  return { brand: brandRefOf(brand), window_days: WINDOW_DAYS, videos, note };
};

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
