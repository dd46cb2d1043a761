import { changeCommand } from '../../../base/change-command.js';

export default changeCommand({
  summary: 'End the connection of an assistant; every server refuses its tokens within a second',
  id: 'Grant id, as `grants list` shows it',
  example: '5f0c…',
  change: async (db, id) => {
    const { revokeGrant } = await import('../../../../server/accounts/grants.js');
    return revokeGrant(db, { id, secretHash: null, workspaceId: null });
  },
  missing: (id) => `No grant ${id} exists.`,
  done: (id, now) => ({ json: { id, revoked_at: now }, text: `Grant ${id} is revoked.` }),
});
