import { changeCommand } from '../../../base/change-command.js';
import { DESTINATION_ID } from './list.js';

export default changeCommand({
  summary: 'Pause a destination: what happens until it is resumed is not delivered to it',
  id: DESTINATION_ID,
  example: '5f0c…',
  change: async (db, id, now) => {
    const { pauseDestination } = await import('../../../../server/alerts/delivery/destinations.js');
    return (await pauseDestination(db, { id, now, reason: null }))[0];
  },
  missing: (id) => `No destination ${id} exists that is not paused.`,
  done: (id, now) => ({ json: { id, paused_at: now }, text: `Destination ${id} is paused.` }),
});
