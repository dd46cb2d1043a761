/** The key that identifies a hit, so that a line that is shipped twice is stored once. */
import { createHmac, type KeyObject } from 'node:crypto';
import { type Hit, identityInput } from '../../logs/index.js';

/**
 * The name of the deployment's secret for it. With a plain hash, the addresses and user agents in the hashed text could be
 * found by trying all of them.
 */
export const DEDUPE_SECRET = 'crawler-events';
const KEY_BYTES = 16;

/** 16 bytes of HMAC-SHA256 over the identity of the hit. */
export const dedupeKey = (secret: KeyObject, hit: Hit): Buffer =>
  createHmac('sha256', secret).update(identityInput(hit)).digest().subarray(0, KEY_BYTES);
