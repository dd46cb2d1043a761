import { label } from '../../contract/glossary.js';
import { answer, answers } from '../../contract/reads/answers.js';
import { listCommand } from '../base/read-command.js';
import { columnsOf, date, engine, grouped } from '../render/view.js';

const column = columnsOf(answer);

export default listCommand(answers, {
  inHelp: { group: 'VISIBILITY', place: 9 },
  examples: [
    '',
    '--prompt pr_1 --engine perplexity --limit 5',
    '--cites reddit.com --names lanzaro --without torvello',
    '--tone negative --all --format csv',
  ],
  request: (svc) => svc.answers,
  view: {
    noun: label('answers'),
    columns: [
      // Ids are never shortened, because they are the arguments of `svc answer` and `svc prompt`. The first column stays at any width.
      column('id'),
      date(),
      engine(),
      column('prompt_id'),
      column('brand_present'),
      column('mentions', {
        text: (row) => row.mentions.map(({ name }) => name).join(', '),
        room: 'flexible',
      }),
      column('citations', { text: (row) => grouped(row.citations.length), align: 'right' }),
      column('region', { room: 'spare' }),
      column('model', { room: 'spare' }),
      column('excerpt', { room: 'filling', absence: 'not collected' }),
    ],
    legend: '`svc answer ID` shows an answer with its text.',
  },
});
