import { label } from '../../contract/glossary.js';
import { youtubeCitations } from '../../contract/reads/youtube.js';
import { readCommand } from '../base/read-command.js';
import { count, counted, day, engines, position, text } from '../render/view.js';

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
      text('title', ({ title }) => title, { ...NOT_STATED, room: 'flexible', link: ({ url }) => url }),
      text('channel', ({ channel_name }) => channel_name, { ...NOT_STATED, room: 'flexible' }),
      count(label('citations'), ({ citations }) => citations),
      position(label('avg_position'), ({ avg_position }) => avg_position),
      count('views', ({ views }) => views, NOT_STATED),
      text('video', ({ video_id }) => video_id, { room: 'spare', link: ({ url }) => url }),
      count('best position', ({ best_position }) => best_position, { room: 'spare' }),
      count('likes', ({ likes }) => likes, { ...NOT_STATED, room: 'spare' }),
      day('as of', ({ stats_as_of }) => stats_as_of, NOT_STATED.absence),
      day('published', ({ published_at }) => published_at, NOT_STATED.absence),
      count(label('answers'), ({ answers }) => answers, { room: 'spare' }),
      engines,
    ],
  },
});
