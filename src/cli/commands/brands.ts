import { brands } from '../../contract/reads/brands.js';
import { listCommand } from '../base/read-command.js';
import { text, yesNo } from '../render/view.js';

export default listCommand(brands, {
  inHelp: { group: 'VISIBILITY', place: 12 },
  request: (svc) => svc.brands,
  view: {
    noun: 'brands',
    columns: [
      // Never shortened, because it is the value of --brand.
      text('id', (row) => row.id),
      text('name', (row) => row.name, { room: 'flexible' }),
      text('domain', (row) => row.domain, { room: 'flexible', link: (row) => `https://${row.domain}/` }),
      yesNo('archived', (row) => row.archived),
    ],
  },
});
