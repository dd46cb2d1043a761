import { label } from '../../contract/glossary.js';
import { type CitedUrl, urls } from '../../contract/reads/urls.js';
import { ApiCommand } from '../base/api-command.js';
import { listFlags } from '../base/flags.js';
import { printList } from '../base/list.js';
import { count, engines, kind, page, type TableView, text } from '../render/view.js';

export default class Urls extends ApiCommand {
  static override inHelp = { group: 'CITATIONS', place: 2 };
  static override summary = urls.summary;
  static override examples = ['<%= config.bin %> urls', '<%= config.bin %> urls --all --format csv'];
  static override flags = listFlags(urls);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Urls);
    return printList(this, flags, urls, {
      request: (svc) => svc.urls,
      view,
    });
  }
}

const view: TableView<CitedUrl> = {
  noun: label('citedPages'),
  columns: [
    page(label('page'), (row) => row.url),
    count(label('citations'), (row) => row.citations),
    count(label('before'), (row) => row.prior_citations),
    count(label('answers'), (row) => row.answers),
    kind,
    text(label('pageType'), (row) => row.page_type, { room: 'spare' }),
    engines,
    text('title', (row) => row.title, { room: 'spare' }),
  ],
};
