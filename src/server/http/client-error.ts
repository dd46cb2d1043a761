/** What a client gets whose bytes are no HTTP request, or none in time: Node would answer without a body. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { API_VERSION, headers } from '../../contract/versions.js';

const ANSWERS: Readonly<Record<string, readonly [status: string, words: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Request headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'Chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request was not all there in time'],
};
const NO_REQUEST: readonly [status: string, words: string] = [
  '400 Bad Request',
  'This is not an HTTP request',
];

/** How long a client that was answered may go on sending: cut at once, it would see a reset and not the answer. */
const LINGER_MS = 2000;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The one before it on the connection, where that is not answered yet. */
  readonly before: Exchange | undefined;
}

/**
 * Answers what a server cannot parse. Requests that came whole on the same connection before are answered first: it is not
 * their fault.
 */
export function answerClientErrors(server: Server): void {
  const latest = new WeakMap<Duplex, Exchange>();
  const faulty = new WeakSet<Duplex>();
  const note = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    latest.set(socket, { request, response, before: unanswered(latest.get(socket)) });
  };
  server.on('request', note).on('checkExpectation', note);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // What comes behind the first fault is not looked at.
    if (faulty.has(socket)) return;
    faulty.add(socket);
    answerFault(latest.get(socket), socket, error.code ?? '');
  });
}

const unanswered = (exchange: Exchange | undefined): Exchange | undefined =>
  exchange?.response.closed ? undefined : exchange;

function answerFault(last: Exchange | undefined, socket: Duplex, code: string): void {
  const isInBody = last !== undefined && !last.request.complete;
  // A request whose body is at fault gets this answer, unless it has one.
  const say = isInBody && last.response.headersSent ? () => close(socket) : () => answer(socket, code);
  const waitedFor = isInBody ? unanswered(last.before) : unanswered(last);
  if (waitedFor) waitedFor.response.once('close', say);
  else say();
}

function answer(socket: Duplex, code: string): void {
  const [status, words] = ANSWERS[code] ?? NO_REQUEST;
  const body = JSON.stringify({ error: words });
  const head = [
    `HTTP/1.1 ${status}`,
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
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}
