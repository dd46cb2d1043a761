import type { CitedUrl } from '../../contract/reads/urls.js';
import { engines, label, page } from '../render/columns.js';
import { count, type TableView, words, yesNo } from '../render/view.js';

export const urlsView: TableView<CitedUrl> = {
  noun: 'cited URLs',
  columns: [
    page('url', (row) => row.url),
    count('citations', (row) => row.citations),
    count('prior', (row) => row.prior_citations),
    count('answers', (row) => row.answers),
    yesNo('brand', (row) => row.brand_present),
    label,
    words('page type', (row) => row.page_type, { room: 'spare' }),
    engines,
    words('title', (row) => row.title, { room: 'spare' }),
  ],
};
