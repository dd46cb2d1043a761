import { changeCommand } from '../../../base/change-command.js';

export default changeCommand({
  summary:
    'End what a person has here: sessions, links and assistants, on every server within a second; they cannot sign in again',
  id: 'Id of a person, as `people list` shows it',
  example: '5f0c…',
  change: async (db, id, now) => {
    const { revokePerson } = await import('../../../../server/accounts/people.js');
    return (await revokePerson(db, { id, revokedAt: now }))[0];
  },
  missing: (id) => `Nobody with access has the id ${id}.`,
  done: (id, now) => ({ json: { id, revoked_at: now }, text: `Person ${id} is revoked.` }),
});
