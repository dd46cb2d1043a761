import { label } from '../../contract/glossary.js';
import type { Answer } from '../../contract/reads/answers.js';
import { listCommand } from '../base/list-command.js';
import { date, engine } from '../render/shared-columns.js';
import { count, type TableView, text, yesNo } from '../render/view.js';

const view: TableView<Answer> = {
  noun: label('answers'),
  columns: [
    date(),
    engine(),
    // Never shortened, because it is the argument of `svc prompt`.
    text('prompt id', (row) => row.prompt_id),
    yesNo(label('withBrand'), (row) => row.brand_present),
    text('mentions, by rank', (row) => row.mentions.map(({ name }) => name).join(', '), {
      room: 'flexible',
    }),
    count(label('citations'), (row) => row.citations.length),
    text('region', (row) => row.region, { room: 'spare' }),
    text('model', (row) => row.model, { room: 'spare' }),
    text('id', (row) => row.id, { room: 'spare' }),
  ],
};

export default class Answers extends listCommand('answers', { view }) {
  static override examples = [
    '<%= config.bin %> answers',
    '<%= config.bin %> answers --prompt pr_1 --engine perplexity --limit 5',
    '<%= config.bin %> answers --all --format csv',
  ];
}
