/** The key by which a hit is known again when its line is shipped twice. */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { type Hit, identityInput } from '../../logs/index.js';
import { addSecret, secretByName } from '../queries/secrets.js';

const SECRET_NAME = 'crawler-events';
const SECRET_BYTES = 32;
const KEY_BYTES = 16;

/**
 * The deployment's secret, made when it is first needed, whoever comes first. A plain hash would give away the
 * addresses and user agents that are in the hashed text to who tries them all; the secret leaves the database never.
 */
export async function dedupeSecret(db: Knex): Promise<KeyObject> {
  const [stored] = await secretByName(db, { name: SECRET_NAME });
  if (stored) return createSecretKey(stored.value);
  await addSecret(db, { name: SECRET_NAME, value: randomBytes(SECRET_BYTES) });
  const [made] = await secretByName(db, { name: SECRET_NAME });
  return createSecretKey(made!.value);
}

/** 16 bytes of HMAC-SHA256 over what makes the hit itself. */
export const dedupeKey = (secret: KeyObject, hit: Hit): Buffer =>
  createHmac('sha256', secret).update(identityInput(hit)).digest().subarray(0, KEY_BYTES);
