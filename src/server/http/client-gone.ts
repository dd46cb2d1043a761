/** Notices clients that close their connection before they have the response. */
import type { Socket } from 'node:net';
import { createLeaving } from '../limits/audience.js';
import type { Context } from '../state.js';

/** One for each connection, because a connection serves many requests, also several at once. */
const signals = new WeakMap<Socket, AbortSignal>();

/** The signal that the client of a request has closed the connection. */
export function goneOf({ req: { socket } }: Context): AbortSignal {
  const known = signals.get(socket);
  if (known) return known;
  const leaving = createLeaving();
  if (socket.destroyed) leaving.abort();
  else socket.once('close', () => leaving.abort());
  signals.set(socket, leaving.signal);
  return leaving.signal;
}
