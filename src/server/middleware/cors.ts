/** CORS for the Origins that the operator lists. Without a list, responses have no CORS headers. */
import { errors } from '../../contract/errors.js';
import { headers } from '../../contract/versions.js';
import { refuse } from '../errors.js';
import type { Middleware } from '../state.js';

const EXPOSED = Object.values(headers).join(', ');
const METHODS = 'GET, HEAD, POST';
const PREFLIGHT_SECONDS = '600';

export function cors(allowedOrigins: ReadonlySet<string>): Middleware {
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    const allowed = origin !== '' && allowedOrigins.has(origin);
    if (allowedOrigins.size > 0) ctx.vary('Origin');
    if (allowed) {
      ctx.set('Access-Control-Allow-Origin', origin);
      ctx.set('Access-Control-Expose-Headers', EXPOSED);
    }
    if (ctx.method !== 'OPTIONS') return next();
    if (!allowed || ctx.get('Access-Control-Request-Method') === '') return next();
    ctx.set('Access-Control-Allow-Methods', METHODS);
    ctx.set('Access-Control-Allow-Headers', ctx.get('Access-Control-Request-Headers') || 'Authorization');
    ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    ctx.status = 204;
    return undefined;
  };
}

/** Refuses every OPTIONS that is not a preflight, on unknown paths too. */
export const refuseOptions =
  (allowed: readonly string[]): Middleware =>
  (ctx, next) => {
    if (ctx.method === 'OPTIONS') throw refuse(errors.methodNotAllowed(ctx.method, allowed));
    return next();
  };
