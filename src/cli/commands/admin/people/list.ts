import type { PersonRow } from '../../../../server/accounts/people.js';
import { rowsCommand } from '../../../base/rows-command.js';
import { currentTime } from '../../../clock.js';
import { text } from '../../../render/view.js';

const day = (time: Date | null): string => time?.toISOString().slice(0, 10) ?? '';

export default rowsCommand<PersonRow>({
  summary: 'List who signed in by the OpenID provider within 30 days, and who is revoked',
  rows: async (db) => {
    const { listPeople } = await import('../../../../server/accounts/people.js');
    return listPeople(db, currentTime());
  },
  payload: (people) => ({ people: people.map(payloadOf) }),
  view: {
    noun: 'people',
    columns: [
      text('id', (row) => row.id),
      text('name', (row) => row.name, { room: 'flexible' }),
      text('verified email', (row) => row.email ?? '', { room: 'flexible' }),
      text('workspace', (row) => row.workspaceId),
      text('groups', (row) => row.groups.join(', '), { room: 'spare' }),
      text('first', (row) => day(row.createdAt), { room: 'spare' }),
      text('signed in', (row) => day(row.signedInAt)),
      text('revoked', (row) => day(row.revokedAt)),
    ],
  },
});

const payloadOf = (row: PersonRow) => ({
  id: row.id,
  issuer: row.issuer,
  subject: row.subject,
  name: row.name,
  email: row.email,
  groups: row.groups,
  workspace: row.workspaceId,
  created_at: row.createdAt,
  signed_in_at: row.signedInAt,
  revoked_at: row.revokedAt,
});
