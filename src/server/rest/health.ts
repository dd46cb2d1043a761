/** Liveness and readiness of the server, for supervisors and load balancers. They need no key. */
import { requireRead } from '../http/methods.js';
import type { Context, Handler } from '../state.js';

export function healthRoutes(ping: () => Promise<void>): [path: string, Handler][] {
  const livez = (ctx: Context) => {
    requireRead(ctx);
    ctx.body = { status: 'ok' };
  };
  const readyz = async (ctx: Context) => {
    requireRead(ctx);
    await ping();
    ctx.body = { status: 'ok' };
  };
  return [
    ['/livez', livez],
    ['/readyz', readyz],
  ];
}
