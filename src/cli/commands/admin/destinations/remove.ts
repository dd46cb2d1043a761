import { changeCommand } from '../../../base/change-command.js';
import { DESTINATION_ID } from './list.js';

export default changeCommand({
  summary: 'Remove a destination, its address and what waits for it',
  id: DESTINATION_ID,
  example: '5f0c…',
  change: async (db, id) => {
    const { removeDestination } = await import('../../../../server/alerts/delivery/destinations.js');
    return (await removeDestination(db, { id }))[0];
  },
  missing: (id) => `No destination ${id} exists.`,
  done: (id) => ({ json: { id, removed: true }, text: `Destination ${id} is removed.` }),
});
