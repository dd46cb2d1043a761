/** The gates of the page: those of the API in their order, for the key of a cookie. */
import type { KeyObject } from 'node:crypto';
import { errors } from '../../../contract/errors.js';
import type { Access } from '../../accounts/access.js';
import { type GateEnvironment, type GateOptions, passGates } from '../../middleware/gates.js';
import type { Context } from '../../state.js';
import { cookieOf, unseal } from './session.js';

export interface SignedInEnvironment extends GateEnvironment {
  readonly sessionSecret: () => Promise<KeyObject>;
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
      const session = unseal(await env.sessionSecret(), cookie);
      if (session === null || session.expiresAt <= env.clock()) return null;
      return directory.identifyHash(session.secretHash);
    },
  });
