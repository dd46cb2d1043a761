import { label } from '../../contract/glossary.js';
import { sources } from '../../contract/reads/sources.js';
import { listCommand } from '../base/read-command.js';
import { count, kind, text } from '../render/view.js';

export default listCommand(sources, {
  inHelp: { group: 'CITATIONS', place: 1 },
  alsoCalled: ['citations', 'domains'],
  request: (svc) => svc.sources,
  view: {
    noun: label('citedDomains'),
    columns: [
      text(label('domain'), (row) => row.domain, {
        room: 'flexible',
        link: (row) => `https://${row.domain}/`,
      }),
      kind,
      count(label('citations'), (row) => row.citations),
    ],
  },
});
