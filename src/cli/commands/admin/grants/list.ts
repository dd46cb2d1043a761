import type { GrantRow } from '../../../../server/accounts/grants.js';
import { rowsCommand } from '../../../base/rows-command.js';
import { currentTime } from '../../../clock.js';
import { text } from '../../../render/view.js';

const day = (time: Date): string => time.toISOString().slice(0, 10);

export default rowsCommand<GrantRow>({
  summary: 'List the assistants that people connected by OAuth, and the keys for which they act',
  rows: async (db) => {
    const { listGrants } = await import('../../../../server/accounts/grants.js');
    return listGrants(db, { secretHash: null, workspaceId: null, now: currentTime() });
  },
  payload: (grants) => ({ grants: grants.map(payloadOf) }),
  view: {
    noun: 'grants',
    columns: [
      text('id', (row) => row.id),
      text('assistant', (row) => row.clientName, { room: 'flexible' }),
      text('key or person', (row) => row.personName ?? row.keyId),
      text('brands', (row) => row.brandIds?.join(', ') ?? 'all of the key', { room: 'flexible' }),
      text('may', (row) => row.scopes.join(', '), { room: 'spare' }),
      text('made', (row) => day(row.createdAt), { room: 'spare' }),
      text('used', (row) => (row.usedAt === null ? '' : day(row.usedAt))),
      text('renewed', (row) => day(row.renewedAt), { room: 'spare' }),
      text('ends without use', (row) => day(row.endsAt)),
    ],
  },
});

const payloadOf = (row: GrantRow) => ({
  id: row.id,
  client_id: row.clientId,
  client_name: row.clientName,
  key_id: row.keyId,
  person: row.personName,
  brands: row.brandIds,
  scopes: row.scopes,
  created_at: row.createdAt,
  used_at: row.usedAt,
  renewed_at: row.renewedAt,
  ends_at: row.endsAt,
});
