import type { CitedUrl } from '../../contract/reads/urls.js';
import { listCommand } from '../base/list-command.js';
import { engines, label, page } from '../render/shared-columns.js';
import { count, type TableView, text, yesNo } from '../render/view.js';

const view: TableView<CitedUrl> = {
  noun: 'cited URLs',
  columns: [
    page('url', (row) => row.url),
    count('citations', (row) => row.citations),
    count('prior', (row) => row.prior_citations),
    count('answers', (row) => row.answers),
    yesNo('brand', (row) => row.brand_present),
    label,
    text('page type', (row) => row.page_type, { room: 'spare' }),
    engines,
    text('title', (row) => row.title, { room: 'spare' }),
  ],
};

export default class Urls extends listCommand('urls', {
  view,
  unsampled: ({ citations }) => citations === 0,
}) {
  static override examples = ['<%= config.bin %> urls', '<%= config.bin %> urls --all --format csv'];
}
