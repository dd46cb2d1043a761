import { label } from '../../contract/glossary.js';
import { type EntityMeasure, entityMeasureNames } from '../../contract/measures.js';
import { type Competitor, competitors } from '../../contract/reads/competitors.js';
import { listCommand } from '../base/read-command.js';
import { changeColumn, withInterval } from '../render/uncertainty.js';
import { type Column, measure, position, text } from '../render/view.js';

/** The measures by which competitors are compared have an interval. */
const COMPARED: readonly EntityMeasure[] = ['visibility', 'share_of_voice_fraction'];

function columnsOf(metric: EntityMeasure): Column<Competitor>[] {
  const plain = measure<Competitor>(metric, (row) => row[metric]);
  const column = COMPARED.includes(metric)
    ? withInterval(plain, metric, (row) => [row[metric], row.intervals[metric]])
    : plain;
  return metric === 'visibility' ? [column, change] : [column];
}

const change = changeColumn('change', ({ visibility, change: moved }: Competitor) => ({
  metric: 'visibility',
  value: visibility,
  change: moved.visibility,
}));

export default listCommand(competitors, {
  inHelp: { group: 'VISIBILITY', place: 5 },
  alsoCalled: ['compare', 'rivals'],
  request: (svc) => svc.competitors,
  view: {
    noun: 'competitors',
    own: (row) => row.is_brand,
    columns: [
      text(label('name'), (row) => row.name + (row.is_brand ? ' (brand)' : ''), { room: 'flexible' }),
      ...entityMeasureNames.flatMap(columnsOf),
      { ...position(label('avg_position'), (row: Competitor) => row.avg_position), room: 'spare' },
      text(label('domain'), (row) => row.domain, { room: 'spare', link: (row) => `https://${row.domain}/` }),
    ],
  },
});
