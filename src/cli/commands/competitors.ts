import type { Competitor } from '../../contract/reads/competitors.js';
import { listCommand } from '../base/list-command.js';
import { percent, position, score, type TableView, text } from '../render/view.js';

const view: TableView<Competitor> = {
  noun: 'competitors',
  own: (row) => row.is_brand,
  columns: [
    text('name', (row) => row.name + (row.is_brand ? ' (brand)' : ''), { room: 'flexible' }),
    score('visibility', (row) => row.visibility),
    percent('share of voice', (row) => row.share_of_voice_fraction),
    percent('citation share', (row) => row.citation_share),
    score('sentiment', (row) => row.sentiment_index),
    position('avg position', (row) => row.avg_position),
    text('domain', (row) => row.domain, { room: 'spare', link: (row) => `https://${row.domain}/` }),
  ],
};

export default class Competitors extends listCommand('competitors', {
  view,
  zeros: ['visibility', 'share_of_voice', 'share_of_voice_fraction'],
}) {
  static override examples = [
    '<%= config.bin %> competitors',
    '<%= config.bin %> competitors --all --format csv',
  ];
}
