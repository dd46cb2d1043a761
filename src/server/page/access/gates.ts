/** The gates of the page: those of the API in their order, for the key of a cookie. */
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { errors } from '../../../contract/errors.js';
import type { Access } from '../../accounts/access.js';
import { type GateEnvironment, type GateOptions, passGates } from '../../middleware/gates.js';
import type { Context } from '../../state.js';
import { cookieOf, type Session, unseal } from './session.js';

export interface SignedInEnvironment extends GateEnvironment {
  /** The valid session in a cookie; null: there is none. */
  readonly sessionOf: (cookie: string) => Promise<Session | null>;
  readonly sessionSecret: () => Promise<KeyObject>;
}

/** Decrypted sessions that are kept. */
const MOST_SESSIONS = 10_000;

/** The function that decrypts cookies. It keeps sessions, because decrypting costs as much as a gate. */
export function sessionReader(secret: () => Promise<KeyObject>): SignedInEnvironment['sessionOf'] {
  const sessions = new LRUCache<string, Session>({ max: MOST_SESSIONS });
  return async (cookie) => {
    const known = sessions.get(cookie);
    if (known) return known;
    const session = unseal(await secret(), cookie);
    if (session) sessions.set(cookie, session);
    return session;
  };
}

/** Passes a request through the gates with the key of its cookie. */
export const passSignedIn = (
  env: SignedInEnvironment,
  ctx: Context,
  checks: GateOptions['checks'],
): Promise<Access> =>
  passGates(env, ctx, {
    surface: 'reads',
    checks,
    disabled: errors.apiDisabled,
    identify: async (directory) => {
      const cookie = cookieOf(ctx);
      if (cookie === undefined) return null;
      const session = await env.sessionOf(cookie);
      if (session === null || session.expiresAt <= env.clock()) return null;
      return directory.identifyHash(session.secretHash);
    },
  });
