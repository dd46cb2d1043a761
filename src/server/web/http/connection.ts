/** Connections: clients that leave, bodies that are not read, and bytes that are no HTTP request. */

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errors, type Refusal } from '../../../contract/errors.js';
import { API_VERSION, headers } from '../../../contract/versions.js';
import { createLeaving } from '../../base/audience.js';
import { bodyOf } from '../../base/errors.js';
import type { Context } from '../state.js';

/** How long a client may continue to send: long enough to read the refusal, short enough not to read an endless body. */
const LINGERING_CLOSE_MS = 2000;

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

const REFUSALS: Readonly<Record<string, () => Refusal>> = {
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errors.chunkExtensionsTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: errors.requestTimeout,
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The previous exchange on the connection, if its response is not finished. */
  readonly before: Exchange | undefined;
}

/**
 * Responds to bytes that the server cannot parse or that arrive too late; Node would respond without a body. Complete requests that arrived earlier on the same connection get their
 * responses first.
 */
export function answerClientErrors(server: Server): void {
  const latest = new WeakMap<Duplex, Exchange>();
  const faulty = new WeakSet<Duplex>();
  const note = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    latest.set(socket, { request, response, before: unfinished(latest.get(socket)) });
  };
  server.on('request', note).on('checkExpectation', note);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // Everything after the first fault is ignored.
    if (faulty.has(socket)) return;
    faulty.add(socket);
    answerFault(latest.get(socket), socket, error.code ?? '');
  });
}

const unfinished = (exchange: Exchange | undefined): Exchange | undefined =>
  exchange?.response.closed ? undefined : exchange;

function answerFault(last: Exchange | undefined, socket: Duplex, code: string): void {
  const isInBody = last !== undefined && !last.request.complete;
  // A request with a faulty body gets this response, unless it has one already.
  const respond = isInBody && last.response.headersSent ? () => close(socket) : () => answer(socket, code);
  const previous = isInBody ? unfinished(last.before) : unfinished(last);
  if (previous) previous.response.once('close', respond);
  else respond();
}

function answer(socket: Duplex, code: string): void {
  const refusal = (REFUSALS[code] ?? errors.notHttp)();
  const body = JSON.stringify(bodyOf(refusal));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `${headers.requestId}: ${randomUUID()}`,
    `${headers.version}: ${API_VERSION}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  close(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function close(socket: Duplex, text = ''): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(text);
  const cut = setTimeout(() => socket.destroy(), LINGERING_CLOSE_MS);
  socket.once('close', () => clearTimeout(cut));
}

/**
 * One for each connection, because a connection serves many requests, also several at once. One for each request is +90 % of the
 * time that the process needs for a cached read.
 */
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
