/** What `svc collect probe` prints: a row for each target, and what its reply lacks. */
import type { Probed } from '../../collect/probe.js';
import { Document } from '../render/document.js';
import { count, type TableView, text, usd } from '../render/view.js';

const found = (row: Probed, name: Probed['fields'][number]['field']): number =>
  row.fields.find(({ field }) => field === name)?.count ?? 0;

const probedView: TableView<Probed> = {
  noun: 'targets',
  columns: [
    text('engine', (row) => row.engine),
    text('region', (row) => row.region, { room: 'spare' }),
    text('protocol', (row) => row.protocol),
    text('surface', (row) => row.surface, { room: 'spare' }),
    text('result', (row) => row.outcome.replace('_', ' ')),
    text('seconds', (row) => row.seconds.toFixed(1), { room: 'spare' }),
    count('characters', (row) => row.characters, { room: 'spare' }),
    count('citations', (row) => found(row, 'citations')),
    count('searches', (row) => found(row, 'searches'), { room: 'spare' }),
    count('products', (row) => found(row, 'carousels'), { room: 'spare' }),
    count('ads', (row) => found(row, 'ads'), { room: 'spare' }),
    {
      head: 'cost',
      text: (row) => (row.cost_usd === null ? null : usd(row.cost_usd)),
      absence: 'not known: a price or the usage is not stated',
      align: 'right',
    },
  ],
};

export function probeText(probed: readonly Probed[], width: number | undefined): string {
  const document = new Document(width);
  document.table(null, probedView, probed);
  document.sentences(...probed.flatMap(sentencesOn));
  return document.text;
}

function sentencesOn({ engine, region, outcome, detail, missing, fields }: Probed): string[] {
  const place = `${engine} ${region}`;
  const unstated = fields.filter(({ stated }) => stated === 'never').map(({ field }) => field);
  return [
    ...(detail === null ? [] : [`${place}: ${outcome.replace('_', ' ')}: ${detail}`]),
    ...(missing.length > 0
      ? [`${place}: no ${missing.join(', no ')} in this reply. Not every answer has them.`]
      : []),
    ...(outcome === 'answered' && unstated.length > 0
      ? [`${place}: the provider does not state ${unstated.join(', ')}.`]
      : []),
  ];
}
