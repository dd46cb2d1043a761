import { label } from '../../contract/glossary.js';
import { answers } from '../../contract/reads/answers.js';
import { listCommand } from '../base/read-command.js';
import { count, date, engine, text, yesNo } from '../render/view.js';

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
      text('id', (row) => row.id),
      date(),
      engine(),
      text('prompt id', (row) => row.prompt_id),
      yesNo(label('withBrand'), (row) => row.brand_present),
      text('mentions, by rank', (row) => row.mentions.map(({ name }) => name).join(', '), {
        room: 'flexible',
      }),
      count(label('citations'), (row) => row.citations.length),
      text('region', (row) => row.region, { room: 'spare' }),
      text('model', (row) => row.model, { room: 'spare' }),
      text('excerpt', (row) => row.excerpt ?? null, { room: 'filling', absence: 'not collected' }),
    ],
    legend: '`svc answer ID` shows an answer with its text.',
  },
});
