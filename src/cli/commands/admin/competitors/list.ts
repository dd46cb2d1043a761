import { PlanCommand, planFlag } from '../../../collect/plan-command.js';
import { type TableView, text } from '../../../render/view.js';

interface Row {
  readonly name: string;
  readonly domain: string | null;
  readonly aliases: readonly string[];
}

const view: TableView<Row> = {
  noun: 'competitors',
  columns: [
    text('name', (row) => row.name, { room: 'filling' }),
    text('domain', (row) => row.domain ?? ''),
    text('other spellings', (row) => row.aliases.join(', ')),
  ],
};

export default class CompetitorsList extends PlanCommand {
  static override summary = 'List the competitors of svc.toml';
  static override examples = ['<%= config.bin %> admin competitors list'];
  static override flags = planFlag;

  override async run(): Promise<void> {
    const { flags } = await this.parse(CompetitorsList);
    const { file, read } = await this.source(flags);
    const competitors = read.catalog.competitors.map(({ text: name, domain, aliases }) => ({
      name,
      domain,
      aliases,
    }));
    await this.show<Row>(flags, { file, competitors }, view, competitors);
  }
}
