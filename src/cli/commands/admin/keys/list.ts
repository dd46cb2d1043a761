import type { KeyRow } from '../../../../server/accounts/keys.js';
import { rowsCommand } from '../../../base/rows-command.js';
import { currentTime } from '../../../clock.js';
import { text } from '../../../render/view.js';

const day = (time: Date | null): string => time?.toISOString().slice(0, 10) ?? '';

/** A key, and whether it has expired. */
interface Row extends KeyRow {
  readonly expired: boolean;
}

const worksUntil = ({ expiresAt, expired }: Row): string => {
  const time = expiresAt?.toISOString().replace(/:00\.000Z$/, 'Z') ?? '';
  return expired ? `${time} (expired)` : time;
};

export default rowsCommand<Row>({
  summary: 'List the API keys; secrets are not stored',
  rows: async (db) => {
    const { listKeys } = await import('../../../../server/accounts/keys.js');
    const now = currentTime();
    const keys = await listKeys(db, {});
    return keys.map((key) => ({ ...key, expired: key.expiresAt !== null && key.expiresAt <= now }));
  },
  payload: (keys) => ({ keys: keys.map(payloadOf) }),
  view: {
    noun: 'keys',
    columns: [
      text('id', (row) => row.id),
      text('key', (row) => `${row.display}…`),
      text('kind', (row) => row.kind),
      text('workspace', (row) => row.workspaceId),
      text('brands', (row) => row.brandIds?.join(', ') ?? 'all', { room: 'flexible' }),
      text('name', (row) => row.name ?? '', { room: 'flexible' }),
      text('made', (row) => day(row.createdAt), { room: 'spare' }),
      text('works until', worksUntil),
      text('allowed from', (row) => row.allow?.join(', ') ?? 'anywhere', { room: 'spare' }),
      text('revoked', (row) => day(row.revokedAt)),
    ],
  },
});

const payloadOf = (row: Row) => ({
  id: row.id,
  display: row.display,
  kind: row.kind,
  workspace: row.workspaceId,
  brands: row.brandIds,
  name: row.name,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
  expired: row.expired,
  allow: row.allow,
  revoked_at: row.revokedAt,
});
