import { PlanCommand, planFlag } from '../../../collect/plan-command.js';
import { type TableView, text } from '../../../render/view.js';

interface Row {
  readonly text: string;
  readonly topic: string | null;
  readonly tags: readonly string[];
}

const view: TableView<Row> = {
  noun: 'prompts',
  columns: [
    text('prompt', (row) => row.text, { room: 'filling' }),
    text('topic', (row) => row.topic ?? ''),
    text('tags', (row) => row.tags.join(', ')),
  ],
};

export default class PromptsList extends PlanCommand {
  static override summary = 'List the prompts of svc.toml';
  static override examples = ['<%= config.bin %> admin prompts list'];
  static override flags = planFlag;

  override async run(): Promise<void> {
    const { flags } = await this.parse(PromptsList);
    const { file, read } = await this.source(flags);
    const { prompts } = read.catalog;
    await this.show<Row>(flags, { file, prompts }, view, prompts);
  }
}
