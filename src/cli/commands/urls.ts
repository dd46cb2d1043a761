import { label } from '../../contract/glossary.js';
import { citedUrl, urls } from '../../contract/reads/urls.js';
import { listCommand } from '../base/read-command.js';
import { columnsOf, engines, kind, page } from '../render/view.js';

const column = columnsOf(citedUrl);

export default listCommand(urls, {
  inHelp: { group: 'CITATIONS', place: 2 },
  request: (svc) => svc.urls,
  view: {
    noun: label('citedPages'),
    columns: [
      page,
      column('citations'),
      column('prior_citations'),
      column('answers'),
      kind,
      column('page_type', { room: 'spare' }),
      engines,
      column('title', { room: 'spare' }),
    ],
  },
});
