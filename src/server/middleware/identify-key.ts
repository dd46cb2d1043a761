/** Looks up the key of a request. It refuses nothing: the gates do, in their order. */
import type { Access } from '../accounts/access.js';
import type { Directory } from '../accounts/directory.js';
import type { Context } from '../state.js';

const BEARER = /^bearer +(\S+) *$/i;
/** Longer than any key. A longer secret is unknown without hashing it. */
const LONGEST_SECRET = 1024;

/** The secret in the Authorization header; undefined: none, or one that no key can be. */
export function bearerSecret({ req: { headers } }: Context): string | undefined {
  const secret = BEARER.exec(headers.authorization ?? '')?.[1];
  return secret !== undefined && secret.length <= LONGEST_SECRET ? secret : undefined;
}

/** The access of the request's key; null: it is unknown; undefined: the request has none. */
export function identifyKey(
  directory: Directory,
  ctx: Context,
  onLookUp: () => void,
): Promise<Access | null> | Access | null | undefined {
  const secret = bearerSecret(ctx);
  return secret === undefined ? undefined : directory.identify(secret, onLookUp);
}
