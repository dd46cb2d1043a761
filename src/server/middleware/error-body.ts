/** Converts an error of the HTTP surfaces to a response. */
import { randomUUID } from 'node:crypto';
import { errors, type Refusal } from '../../contract/errors.js';
import { headers } from '../../contract/versions.js';
import { bodyOf, refusalOf, refuse } from '../errors.js';
import type { Logger } from '../log.js';
import type { Context, Handler } from '../state.js';

/** Returns a handler that gives the request its id, responds to what `handle` throws, and sets the collected headers. */
export function errorBody(log: Logger, handle: Handler): Handler {
  return async (ctx) => {
    const requestId = randomUUID();
    ctx.state = { requestId, headers: new Map([[headers.requestId, requestId]]) };
    try {
      if (!hasPath(ctx)) throw refuse(errors.notFound());
      await handle(ctx);
    } catch (error) {
      // A path may hold anything, for example a key that somebody put there.
      const { keyId = null, route = null } = ctx.state;
      const request = { requestId, keyId, method: ctx.method, route };
      answer(ctx, refusalOf(error, request, log));
    }
    if (!ctx.res.headersSent) ctx.res.setHeaders(ctx.state.headers);
  };
}

/** Whether the request target can be parsed: for `http://[`, Koa throws when the path is read. */
function hasPath(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}

/** Responds to a request with a refusal. */
export function answer(ctx: Context, refusal: Refusal): void {
  ctx.status = refusal.status;
  for (const [name, value] of Object.entries(refusal.headers ?? {})) ctx.set(name, value);
  ctx.remove('ETag');
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify(bodyOf(refusal));
}
