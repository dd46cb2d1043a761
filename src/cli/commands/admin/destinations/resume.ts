import { changeCommand } from '../../../base/change-command.js';
import { DESTINATION_ID } from './list.js';

export default changeCommand({
  summary: 'Resume a paused destination: what waited when it was paused is delivered',
  id: DESTINATION_ID,
  example: '5f0c…',
  change: async (db, id) => {
    const { resumeDestination } = await import('../../../../server/alerts/delivery/destinations.js');
    return (await resumeDestination(db, { id }))[0];
  },
  missing: (id) => `No paused destination ${id} exists.`,
  done: (id) => ({ json: { id, paused_at: null }, text: `Destination ${id} is resumed.` }),
});
