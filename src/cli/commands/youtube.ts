import { citedVideo, youtubeCitations } from '../../contract/reads/youtube.js';
import { readCommand } from '../base/read-command.js';
import { columnsOf, counted, engines } from '../render/view.js';

const column = columnsOf(citedVideo);
const NOT_STATED = { absence: 'not stated' };

export default readCommand(youtubeCitations, {
  inHelp: { group: 'CITATIONS', place: 6 },
  description:
    'Positions are places in an answer’s list of citations, 1 is the first. Title, channel, views and likes ' +
    'are as the vendor stated them; — is not stated, never zero.',
  title: ({ brand, window_days, videos }) => {
    const citations = videos.reduce((sum, video) => sum + video.citations, 0);
    const extent = `${counted(videos.length, 'video')} · ${counted(citations, 'citation')}`;
    return [
      `YouTube citations · ${brand.name} · last ${window_days} days`,
      ...(videos.length > 0 ? [extent] : []),
    ];
  },
  table: {
    noun: 'cited videos on record in this window',
    columns: [
      column('title', { ...NOT_STATED, room: 'flexible', link: ({ url }) => url }),
      column('channel_name', { ...NOT_STATED, room: 'flexible' }),
      column('citations'),
      column('avg_position'),
      column('views', NOT_STATED),
      column('video_id', { room: 'spare', link: ({ url }) => url }),
      column('best_position', { room: 'spare' }),
      column('likes', { ...NOT_STATED, room: 'spare' }),
      column('stats_as_of', { ...NOT_STATED, as: 'day' }),
      column('published_at', { ...NOT_STATED, as: 'day' }),
      column('answers', { room: 'spare' }),
      engines,
    ],
  },
});
