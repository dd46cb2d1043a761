import { label } from '../../contract/glossary.js';
import type { Competitor } from '../../contract/reads/competitors.js';
import { listCommand } from '../base/list-command.js';
import { changeColumn, withInterval } from '../render/uncertainty.js';
import { percent, position, score, type TableView, text } from '../render/view.js';

const view: TableView<Competitor> = {
  noun: 'competitors',
  own: (row) => row.is_brand,
  columns: [
    text(label('name'), (row) => row.name + (row.is_brand ? ' (brand)' : ''), { room: 'flexible' }),
    withInterval(
      score(label('visibility'), (row) => row.visibility),
      'visibility',
      (row) => [row.visibility, row.intervals?.visibility],
    ),
    changeColumn('change', ({ visibility, change }) => ({
      metric: 'visibility',
      value: visibility,
      change: change?.visibility,
    })),
    withInterval(
      percent(label('shareOfVoice'), (row) => row.share_of_voice_fraction),
      'share_of_voice_fraction',
      (row) => [row.share_of_voice_fraction, row.intervals?.share_of_voice_fraction],
    ),
    percent(label('citationShare'), (row) => row.citation_share),
    score(label('sentiment'), (row) => row.sentiment_index),
    { ...position(label('averagePosition'), (row: Competitor) => row.avg_position), room: 'spare' },
    text(label('domain'), (row) => row.domain, { room: 'spare', link: (row) => `https://${row.domain}/` }),
  ],
};

export default class Competitors extends listCommand('competitors', {
  view,
}) {
  static override examples = [
    '<%= config.bin %> competitors',
    '<%= config.bin %> competitors --all --format csv',
  ];
}
