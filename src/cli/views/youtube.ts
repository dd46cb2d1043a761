import { type CitedVideo, citedVideo } from '../../contract/reads/youtube-citations.js';
import type { ToolPayloadOf } from '../../contract/tools.js';
import { day, engines } from '../render/columns.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { count, counted, position, type TableView, words } from '../render/view.js';

type YoutubeCitations = ToolPayloadOf<'list_youtube_citations'>;

export const youtubeView: SheetView<YoutubeCitations, CitedVideo> = {
  schema: citedVideo,
  rows: ({ videos }) => videos,
  table: () => videosView,
  draw,
};

function draw({ brand, window_days, videos }: YoutubeCitations, paper: Paper): void {
  const citations = videos.reduce((sum, video) => sum + video.citations, 0);
  paper.title(
    `YouTube citations · ${brand.name} · last ${window_days} days`,
    ...(videos.length > 0 ? [`${counted(videos.length, 'video')} · ${counted(citations, 'citation')}`] : []),
  );
  paper.table(null, videosView, videos);
}

const NOT_STATED = { absence: 'not stated' };

const videosView: TableView<CitedVideo> = {
  noun: 'cited videos on record in this window',
  columns: [
    words('title', ({ title }) => title, { ...NOT_STATED, room: 'flexible', link: ({ url }) => url }),
    words('channel', ({ channel_name }) => channel_name, { ...NOT_STATED, room: 'flexible' }),
    count('citations', ({ citations }) => citations),
    position('avg position', ({ avg_position }) => avg_position),
    count('views', ({ views }) => views, NOT_STATED),
    words('video', ({ video_id }) => video_id, { room: 'spare', link: ({ url }) => url }),
    count('best position', ({ best_position }) => best_position, { room: 'spare' }),
    count('likes', ({ likes }) => likes, { ...NOT_STATED, room: 'spare' }),
    day('as of', ({ stats_as_of }) => stats_as_of, NOT_STATED.absence),
    day('published', ({ published_at }) => published_at, NOT_STATED.absence),
    count('answers', ({ answers }) => answers, { room: 'spare' }),
    engines,
  ],
};
