import { changeCommand } from '../../../base/change-command.js';

export default changeCommand({
  summary: 'Revoke an API key; every server refuses it within seconds',
  id: 'Key id, as `keys list` shows it',
  example: '5f0c…',
  change: async (db, id, now) => {
    const { revokeKey } = await import('../../../../server/accounts/keys.js');
    return (await revokeKey(db, { id, now }))[0];
  },
  missing: (id) => `No working key ${id} exists.`,
  done: (id, now) => ({ json: { id, revoked_at: now }, text: `Key ${id} is revoked.` }),
});
