import { label } from '../../contract/glossary.js';
import { urls } from '../../contract/reads/urls.js';
import { listCommand } from '../base/read-command.js';
import { count, engines, kind, page, text } from '../render/view.js';

export default listCommand(urls, {
  inHelp: { group: 'CITATIONS', place: 2 },
  request: (svc) => svc.urls,
  view: {
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
  },
});
