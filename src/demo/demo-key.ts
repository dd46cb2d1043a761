/** The demo's key: a full key of the demo workspace, made for this machine. */
import type { Knex } from 'knex';
import { createKey, hashSecret } from '../server/accounts/keys.js';
import { keyBySecret } from '../server/queries/api-keys.js';
import { demoWorkspaceId } from './data/index.js';

/** The remembered key while it still works, else a new one. */
export async function demoKey(db: Knex, remembered: string | undefined, now: Date): Promise<string> {
  if (remembered !== undefined) {
    const [row] = await keyBySecret(db, { secretHash: hashSecret(remembered) });
    if (row && row.workspaceId === demoWorkspaceId && row.kind === 'full') return remembered;
  }
  const { key } = await createKey(db, { workspace: demoWorkspaceId, kind: 'full', name: 'demo' }, now);
  return key;
}
