import { label } from '../../contract/glossary.js';
import type { CitedUrl } from '../../contract/reads/urls.js';
import { listCommand } from '../base/list-command.js';
import { engines, kind, page } from '../render/shared-columns.js';
import { count, type TableView, text } from '../render/view.js';

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

export default class Urls extends listCommand('urls', {
  view,
}) {
  static override examples = ['<%= config.bin %> urls', '<%= config.bin %> urls --all --format csv'];
}
