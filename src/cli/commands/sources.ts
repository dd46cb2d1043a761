import { label } from '../../contract/glossary.js';
import { type Source, sources } from '../../contract/reads/sources.js';
import { ApiCommand } from '../base/api-command.js';
import { listFlags } from '../base/flags.js';
import { printList } from '../base/list.js';
import { count, kind, type TableView, text } from '../render/view.js';

export default class Sources extends ApiCommand {
  static override inHelp = { group: 'CITATIONS', place: 1 };
  static override alsoCalled = ['citations', 'domains'];
  static override summary = sources.summary;
  static override examples = ['<%= config.bin %> sources', '<%= config.bin %> sources --all --format csv'];
  static override flags = listFlags(sources);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Sources);
    return printList(this, flags, sources, { request: (svc) => svc.sources, view });
  }
}

const view: TableView<Source> = {
  noun: label('citedDomains'),
  columns: [
    text(label('domain'), (row) => row.domain, { room: 'flexible', link: (row) => `https://${row.domain}/` }),
    kind,
    count(label('citations'), (row) => row.citations),
  ],
};
