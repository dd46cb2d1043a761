/** Converts an error of the HTTP surfaces to a response. */
import { randomUUID } from 'node:crypto';
import { errors, type Refusal } from '../../contract/errors.js';
import { headers } from '../../contract/versions.js';
import { bodyOf, refusalOf, refuse } from '../errors.js';
import type { Logger } from '../log.js';
import type { Context, Middleware } from '../state.js';

export function errorBody(log: Logger): Middleware {
  return async (ctx, next) => {
    ctx.state.requestId = randomUUID();
    ctx.set(headers.requestId, ctx.state.requestId);
    try {
      if (!hasPath(ctx)) throw refuse(errors.notFound());
      await next();
    } catch (error) {
      const { requestId } = ctx.state;
      const request = { requestId, method: ctx.method, path: hasPath(ctx) ? ctx.path : '' };
      answer(ctx, refusalOf(error, request, log));
    }
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
