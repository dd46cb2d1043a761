import type { CitedUrl } from '../../contract/urls.js';
import { count, type TableView, words, yesNo } from '../view.js';

export const urlsView: TableView<CitedUrl> = {
  noun: 'cited URLs',
  columns: [
    words('url', (row) => row.url.replace(/^https?:\/\/(www\.)?/, ''), {
      room: 'flexible',
      link: (row) => row.url,
    }),
    count('citations', (row) => row.citations),
    count('prior', (row) => row.prior_citations),
    count('answers', (row) => row.answers),
    yesNo('brand', (row) => row.brand_present),
    words('label', (row) => row.classification + (row.overridden ? ' (set by you)' : '')),
    words('page type', (row) => row.page_type, { room: 'spare' }),
    words('engines', (row) => row.engines.join(', '), { room: 'spare' }),
    words('title', (row) => row.title, { room: 'spare' }),
  ],
};
