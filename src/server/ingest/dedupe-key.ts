/** The key that identifies a hit, so that a line that is shipped twice is stored once. */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { type Hit, identityInput } from '../../logs/index.js';
import { addSecret, secretByName } from '../queries/secrets.js';

const SECRET_NAME = 'crawler-events';
const SECRET_BYTES = 32;
const KEY_BYTES = 16;

/**
 * The deployment's secret, created when a server first needs it. With a plain hash, the addresses and user agents in the
 * hashed text could be found by trying all of them. The secret never leaves the deployment.
 */
export async function dedupeSecret(db: Knex): Promise<KeyObject> {
  const [stored] = await secretByName(db, { name: SECRET_NAME });
  if (stored) return createSecretKey(stored.value);
  await addSecret(db, { name: SECRET_NAME, value: randomBytes(SECRET_BYTES) });
  const [created] = await secretByName(db, { name: SECRET_NAME });
  return createSecretKey(created!.value);
}

/** 16 bytes of HMAC-SHA256 over the identity of the hit. */
export const dedupeKey = (secret: KeyObject, hit: Hit): Buffer =>
  createHmac('sha256', secret).update(identityInput(hit)).digest().subarray(0, KEY_BYTES);
