import { label } from '../../contract/glossary.js';
import { LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { type Prompt, prompts } from '../../contract/reads/prompts.js';
import { ApiCommand } from '../base/api-command.js';
import { listFlags } from '../base/flags.js';
import { printList } from '../base/list.js';
import { count, grouped, percent, position, score, type TableView, text } from '../render/view.js';

export default class Prompts extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 6 };
  static override summary = prompts.summary;
  static override examples = ['<%= config.bin %> prompts', '<%= config.bin %> prompts --all --format csv'];
  static override flags = listFlags(prompts);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Prompts);
    return printList(this, flags, prompts, {
      request: (svc) => svc.prompts,
      view,
    });
  }
}

const view: TableView<Prompt> = {
  noun: 'prompts',
  uncertain: (row) => row.run_count < LOW_CONFIDENCE_BELOW_RUNS,
  columns: [
    // Never shortened, because answers and other reads refer to prompts by it.
    text('id', (row) => row.id),
    text(label('prompt'), (row) => row.text, { room: 'flexible' }),
    score(label('visibility'), (row) => row.visibility, 0),
    percent(label('presence_rate'), (row) => row.presence_rate),
    position(label('avg_position'), (row) => row.avg_position),
    count(label('answers'), (row) => row.run_count),
    // The em-dash of the contract for a prompt without a stage looks like “not measured”.
    text('stage', (row) => row.stage.replace(/^—$/, ''), { room: 'spare' }),
    text('topic', (row) => row.topic_name ?? row.topic, { room: 'spare' }),
    {
      head: 'asks a month',
      text: (row) => row.est_volume_band?.map(grouped).join('–') ?? null,
      align: 'right',
      room: 'spare',
    },
    text('tags', (row) => row.tags.join(', '), { room: 'spare' }),
  ],
};
