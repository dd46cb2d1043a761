/** The demo's key: a full key of the demo workspace, created on this machine. */
import type { Knex } from 'knex';
import { createKey, hashSecret, keysBySecret } from '../server/accounts/keys.js';
import { demoWorkspaceId } from './data/index.js';

/** The first stored key that is still valid, else a new one. */
export async function demoKey(db: Knex, remembered: readonly string[], now: Date): Promise<string> {
  for (const key of remembered) {
    const [row] = await keysBySecret(db, { hashes: [hashSecret(key).toString('hex')] });
    if (row && row.workspaceId === demoWorkspaceId && row.kind === 'full') return key;
  }
  const { key } = await createKey(db, { workspace: demoWorkspaceId, kind: 'full', name: 'demo' }, now);
  return key;
}
