/** CORS for the Origins that the operator lists. Without a list, responses have no CORS headers. */
import { headers } from '../../contract/versions.js';
import { varyBy } from '../http/vary.js';
import type { Context } from '../state.js';

const EXPOSED = Object.values(headers).join(', ');
const METHODS = 'GET, HEAD, POST';
const PREFLIGHT_SECONDS = '600';

/** Returns a function that sets the CORS headers of a response, and returns whether the request was a preflight and is done. */
export function cors(allowedOrigins: ReadonlySet<string>): (ctx: Context) => boolean {
  if (allowedOrigins.size === 0) return () => false;
  return (ctx) => {
    varyBy(ctx, 'Origin');
    const origin = ctx.get('Origin');
    if (!allowedOrigins.has(origin)) return false;
    ctx.state.headers.set('Access-Control-Allow-Origin', origin);
    ctx.state.headers.set('Access-Control-Expose-Headers', EXPOSED);
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return false;
    ctx.set('Access-Control-Allow-Methods', METHODS);
    ctx.set('Access-Control-Allow-Headers', ctx.get('Access-Control-Request-Headers') || 'Authorization');
    ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    ctx.status = 204;
    return true;
  };
}
