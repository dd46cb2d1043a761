import { label } from '../../contract/glossary.js';
import { type Answer, answers } from '../../contract/reads/answers.js';
import { ApiCommand } from '../base/api-command.js';
import { listFlags } from '../base/flags.js';
import { printList } from '../base/list.js';
import { count, date, engine, type TableView, text, yesNo } from '../render/view.js';

export default class Answers extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 9 };
  static override summary = answers.summary;
  static override examples = [
    '<%= config.bin %> answers',
    '<%= config.bin %> answers --prompt pr_1 --engine perplexity --limit 5',
    '<%= config.bin %> answers --cites reddit.com --names lanzaro --without torvello',
    '<%= config.bin %> answers --tone negative --all --format csv',
  ];
  static override flags = listFlags(answers);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Answers);
    return printList(this, flags, answers, { request: (svc) => svc.answers, view });
  }
}

const view: TableView<Answer> = {
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
};
