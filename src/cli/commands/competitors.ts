import { type EntityMeasure, entityMeasureNames } from '../../contract/measures.js';
import { type Competitor, competitor, competitors } from '../../contract/reads/competitors.js';
import { listCommand } from '../base/read-command.js';
import { changeColumn, withInterval } from '../render/uncertainty.js';
import { type Column, columnsOf, entity } from '../render/view.js';

/** The measures by which competitors are compared have an interval. */
const COMPARED: readonly EntityMeasure[] = ['visibility', 'share_of_voice_fraction'];

const ofRow = columnsOf(competitor);

function columnsFor(metric: EntityMeasure): Column<Competitor>[] {
  const plain: Column<Competitor> = ofRow(metric);
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
      entity,
      ...entityMeasureNames.flatMap(columnsFor),
      ofRow('avg_position', { room: 'spare' }),
      ofRow('domain', { room: 'spare', link: (row) => `https://${row.domain}/` }),
    ],
  },
});
