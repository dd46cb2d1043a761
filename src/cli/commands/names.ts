import { names, untrackedName } from '../../contract/reads/names.js';
import { listCommand } from '../base/read-command.js';
import { columnsOf, engines } from '../render/view.js';

const column = columnsOf(untrackedName);

export default listCommand(names, {
  inHelp: { group: 'VISIBILITY', place: 14 },
  request: (svc) => svc.names,
  view: {
    noun: 'names that are not tracked',
    columns: [column('name', { room: 'flexible' }), column('answers'), column('prompts'), engines],
  },
});
