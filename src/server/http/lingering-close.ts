/** What happens to a connection whose request was answered before its body had arrived. */
import type { Context, Middleware } from '../state.js';

/** Long enough for a client to read why it was refused, short enough not to swallow an endless body. */
const LINGER_MS = 2000;

/**
 * Cuts the connection a moment after an early answer. At once would be too early: a client that is still sending would
 * see its connection reset and not the answer.
 */
export const cutUnreadBody: Middleware = (ctx, next) => {
  ctx.res.once('finish', () => cut(ctx));
  return next();
};

function cut({ req }: Context): void {
  if (req.complete) return;
  const timer = setTimeout(() => req.socket.destroy(), LINGER_MS);
  // At the end of the body or of the connection; the socket itself may serve thousands of requests.
  req.once('close', () => clearTimeout(timer));
  req.resume();
}
