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

/** Characters that a path has only if it is a pattern. */
const PATTERN = /[:*{]/;

/**
 * Returns a function that calls the handler of a path. A path without parameters, as all of the API are, is looked up; only
 * other paths are compared with each pattern, in the order of the list.
 */
export function createRoutes(
  routes: readonly Route[],
  notFound: () => never,
): (path: string, ctx: Context) => Promise<void> | void {
  const literal = new Map<string, Handler>();
  const patterns = new Router<State>({ sensitive: true });
  for (const [path, handle] of routes) {
    const named = naming(path, handle);
    if (!PATTERN.test(path)) literal.set(path, named);
    else
      patterns.all(path, (ctx) => {
        ctx.state.params = ctx.params;
        return named(ctx);
      });
  }
  const compare = patterns.routes();
  return (path, ctx) => {
    const handle = literal.get(withoutLastSlash(path));
    return handle ? handle(ctx) : (compare(ctx as RouterContext<State>, notFound) as Promise<void>);
  };
}

const withoutLastSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

/** Notes the route of a request for logs and metrics. */
const naming =
  (route: string, handle: Handler): Handler =>
  (ctx) => {
    ctx.state.route = route;
    return handle(ctx);
  };
