/** Secrets of the deployment: each is created by the first server that needs it, and shared by all servers of the database. */

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { statement } from './statement.js';

/** Stores a secret of the deployment unless one with this name exists. Of concurrent inserts the first is kept. */
const addSecret = statement<never, { name: string; value: Buffer }>(
  'add_secret',
  'insert into secrets (name, value) values (:name, :value) on conflict (name) do nothing',
);

const secretByName = statement<{ value: Buffer }, { name: string }>(
  'secret_by_name',
  'select value from secrets where name = :name',
);

const SECRET_BYTES = 32;

/** Loads the secret with this name on first use, and keeps it. A failure is not kept. The secret never leaves the deployment. */
export function deploymentSecret(db: Knex, name: string): () => Promise<KeyObject> {
  let secret: Promise<KeyObject> | undefined;
  return () => {
    secret ??= storedSecret(db, name).catch((error) => {
      secret = undefined;
      throw error;
    });
    return secret;
  };
}

async function storedSecret(db: Knex, name: string): Promise<KeyObject> {
  const [stored] = await secretByName(db, { name });
  if (stored) return createSecretKey(stored.value);
  await addSecret(db, { name, value: randomBytes(SECRET_BYTES) });
  const [created] = await secretByName(db, { name });
  return createSecretKey(created!.value);
}
