import { changeCommand } from '../../../base/change-command.js';

export default changeCommand({
  summary: 'Let a person sign in again who was revoked',
  id: 'Id of a person, as `people list` shows it',
  example: '5f0c…',
  change: async (db, id) => {
    const { revokePerson } = await import('../../../../server/accounts/people.js');
    return (await revokePerson(db, { id, revokedAt: null }))[0];
  },
  missing: (id) => `Nobody who was revoked has the id ${id}.`,
  done: (id) => ({ json: { id, revoked_at: null }, text: `Person ${id} may sign in again.` }),
});
