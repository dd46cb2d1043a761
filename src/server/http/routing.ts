/** The gates that compare the method of a request with those of its route. */

import Router, { type RouterContext } from '@koa/router';
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';
import type { Context, Handler, State } from '../state.js';

/** 405 for any other method. */
export const requireMethod =
  (allowed: readonly string[]) =>
  ({ req: { method = '' } }: Context): void => {
    if (!allowed.includes(method)) throw refuse(errors.methodNotAllowed(method, allowed));
  };

/** 405 for every OPTIONS that is not a preflight, on unknown paths. */
export const refuseOptions =
  (allowed: readonly string[]) =>
  ({ method }: Context): void => {
    if (method === 'OPTIONS') throw refuse(errors.methodNotAllowed(method, allowed));
  };

export const requireRead = requireMethod(['GET', 'HEAD']);

// From a path to the handler of its route. Paths are case-sensitive; a slash at the end is ignored.

/** A path, as it is or as a pattern of path-to-regexp, and what handles it. */
export type Route = readonly [path: string, handle: Handler];

/** Returns a function that calls the handler of the first route whose path a request has. */
export function createRoutes(routes: readonly Route[], notFound: () => never): Handler {
  const router = new Router<State>({ sensitive: true });
  for (const [path, handle] of routes)
    router.all(path, (ctx) => {
      // For logs and metrics.
      ctx.state.route = path;
      ctx.state.params = ctx.params;
      return handle(ctx);
    });
  const find = router.routes();
  return (ctx) => find(ctx as RouterContext<State>, notFound) as Promise<void>;
}
