import type { Competitor } from '../../contract/reads/competitors.js';
import { listCommand } from '../base/list-command.js';
import { changeColumn, withInterval } from '../render/uncertainty.js';
import { percent, position, score, type TableView, text } from '../render/view.js';

const view: TableView<Competitor> = {
  noun: 'competitors',
  own: (row) => row.is_brand,
  columns: [
    text('name', (row) => row.name + (row.is_brand ? ' (brand)' : ''), { room: 'flexible' }),
    withInterval(
      score('visibility', (row) => row.visibility),
      'visibility',
      (row) => [row.visibility, row.intervals?.visibility],
    ),
    changeColumn('change', ({ visibility, change }) => ({
      metric: 'visibility',
      value: visibility,
      change: change?.visibility,
    })),
    withInterval(
      percent('share of voice', (row) => row.share_of_voice_fraction),
      'share_of_voice_fraction',
      (row) => [row.share_of_voice_fraction, row.intervals?.share_of_voice_fraction],
    ),
    percent('citation share', (row) => row.citation_share),
    score('sentiment', (row) => row.sentiment_index),
    { ...position('avg position', (row: Competitor) => row.avg_position), room: 'spare' },
    text('domain', (row) => row.domain, { room: 'spare', link: (row) => `https://${row.domain}/` }),
  ],
};

export default class Competitors extends listCommand('competitors', {
  view,
  unsampled: ({ visibility }) => visibility === null,
}) {
  static override examples = [
    '<%= config.bin %> competitors',
    '<%= config.bin %> competitors --all --format csv',
  ];
}
