import { label } from '../../contract/glossary.js';
import { source, sources } from '../../contract/reads/sources.js';
import { listCommand } from '../base/read-command.js';
import { columnsOf, kind } from '../render/view.js';

const column = columnsOf(source);

export default listCommand(sources, {
  inHelp: { group: 'CITATIONS', place: 1 },
  alsoCalled: ['citations', 'domains'],
  request: (svc) => svc.sources,
  view: {
    noun: label('citedDomains'),
    columns: [
      column('domain', { room: 'flexible', link: (row) => `https://${row.domain}/` }),
      kind,
      column('citations'),
    ],
  },
});
