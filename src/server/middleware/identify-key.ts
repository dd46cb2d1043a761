/** Looks up the key of a request. It refuses nothing: the gates do, in their order. */
import type { Access } from '../accounts/access.js';
import type { Directory } from '../accounts/directory.js';
import type { Context } from '../state.js';

const BEARER = /^bearer +(\S+) *$/i;
/** Longer than any key. A longer secret is unknown without hashing it. */
const LONGEST_SECRET = 1024;

/** The access of the request's key; null: no key, or an unknown one. */
export async function identifyKey(directory: Directory, { headers }: Context): Promise<Access | null> {
  const secret = BEARER.exec(headers.authorization ?? '')?.[1];
  if (secret === undefined || secret.length > LONGEST_SECRET) return null;
  return directory.identify(secret);
}
