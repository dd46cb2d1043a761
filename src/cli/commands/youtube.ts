import { label } from '../../contract/glossary.js';
import { type CitedVideo, youtubeCitations } from '../../contract/reads/youtube.js';
import type { Infer } from '../../contract/schema.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import type { Document } from '../render/document.js';
import { count, counted, day, engines, position, type TableView, text } from '../render/view.js';

type Data = Infer<typeof youtubeCitations.response>;

export default class Youtube extends ApiCommand {
  static override inHelp = { group: 'CITATIONS', place: 6 };
  static override summary = youtubeCitations.summary;
  static override description =
    'Positions are places in an answer’s list of citations, 1 is the first. Title, channel, views and likes ' +
    'are as the vendor stated them; — is not stated, never zero.';
  static override examples = ['<%= config.bin %> youtube', '<%= config.bin %> youtube --format csv'];
  static override flags = readFlags(youtubeCitations);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Youtube);
    return printRead(this, flags, youtubeCitations, {
      request: (svc, params, options) => svc.tools.call(youtubeCitations.tool, params, options),
      view: {
        table: () => videosView,
        draw,
      },
    });
  }
}

function draw({ brand, window_days, videos }: Data, document: Document): void {
  const citations = videos.reduce((sum, video) => sum + video.citations, 0);
  document.title(
    `YouTube citations · ${brand.name} · last ${window_days} days`,
    ...(videos.length > 0 ? [`${counted(videos.length, 'video')} · ${counted(citations, 'citation')}`] : []),
  );
  document.table(null, videosView, videos);
}

const NOT_STATED = { absence: 'not stated' };

const videosView: TableView<CitedVideo> = {
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
};
