/** Liveness and readiness of the server, for supervisors and load balancers. They need no key. */
import Router from '@koa/router';
import { requireMethod } from '../middleware/gates.js';
import type { State } from '../state.js';

const READ_METHODS = ['GET', 'HEAD'];

export function healthRoutes(ping: () => Promise<void>): Router<State> {
  const router = new Router<State>();
  router.all('/livez', requireMethod(READ_METHODS), (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.all('/readyz', requireMethod(READ_METHODS), async (ctx) => {
    await ping();
    ctx.body = { status: 'ok' };
  });
  return router;
}
