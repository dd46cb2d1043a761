import { label } from '../../contract/glossary.js';
import { names } from '../../contract/reads/names.js';
import { listCommand } from '../base/read-command.js';
import { count, engines, text } from '../render/view.js';

export default listCommand(names, {
  inHelp: { group: 'VISIBILITY', place: 14 },
  request: (svc) => svc.names,
  view: {
    noun: 'names that are not tracked',
    columns: [
      text(label('name'), (row) => row.name, { room: 'flexible' }),
      count(label('answers'), (row) => row.answers),
      count('prompts', (row) => row.prompts),
      engines,
    ],
  },
});
