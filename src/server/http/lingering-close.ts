/** Closes a connection whose response was sent before the whole body of the request arrived. */
import type { Context } from '../state.js';

/** How long a client may continue to send: long enough to read the refusal, short enough not to read an endless body. */
export const LINGERING_CLOSE_MS = 2000;

/**
 * Closes the connection some time after an early response. If it were closed at once, a client that is still sending
 * would see a reset instead of the response.
 */
export function cutUnreadBody(ctx: Context): void {
  ctx.res.once('finish', () => cut(ctx));
}

function cut({ req }: Context): void {
  if (req.complete) return;
  const timer = setTimeout(() => req.socket.destroy(), LINGERING_CLOSE_MS);
  // `close` of the request, not of the socket: a socket may serve thousands of requests.
  req.once('close', () => clearTimeout(timer));
  req.resume();
}
