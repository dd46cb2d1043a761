/** The gates of the page: those of the API in their order, for the key of a cookie. */
import { errors } from '../../../contract/errors.js';
import type { Access } from '../../accounts/access.js';
import { type GateEnvironment, type GateOptions, passGates } from '../../middleware/gates.js';
import type { Context } from '../../state.js';
import { cookieOf } from './session.js';
import type { Sessions } from './sessions.js';

export interface SignedInEnvironment extends GateEnvironment {
  readonly sessions: Sessions;
}

/** The access of the key of the request's cookie; null: no cookie, or one whose session has ended. */
export async function identifySession(
  { sessions, clock, directory }: SignedInEnvironment,
  ctx: Context,
): Promise<Access | null> {
  const cookie = cookieOf(ctx);
  const session = cookie === undefined ? null : await sessions.read(cookie, clock());
  if (session === null) return null;
  const [isOpen, access] = await Promise.all([
    sessions.isOpen(session),
    directory.identifyHash(session.secretHash),
  ]);
  if (!isOpen || access === null) return null;
  ctx.state.signedIn = access;
  return access;
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
    // Nobody guesses a cookie.
    identify: async () => (await identifySession(env, ctx)) ?? undefined,
  });
