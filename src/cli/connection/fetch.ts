import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { MCP_PATH } from '../../contract/mcp.js';
import { headers } from '../../contract/versions.js';
import { AddressError } from '../command-error.js';
import { duration } from '../render/view.js';
import { addressBehind } from './settings.js';

type Fetch = typeof globalThis.fetch;

/**
 * Wraps a fetch so that each response is described on one line: `GET /api/v1/overview → 200 in 34 ms · request 7f… · 117
 * of 120 tokens left`. Headers of requests, which hold the key, are not part of it.
 */
export function describing(fetch: Fetch, write: (line: string) => void): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const name = `${request.method} ${pathname}${search}`;
    const start = performance.now();
    const ended = (end: string, facts: readonly string[] = []) =>
      write([`${name} → ${end} in ${elapsed(start)}`, ...facts].join(' · '));
    try {
      const response = await fetch(request);
      ended(String(response.status), factsOf(response.headers));
      return response;
    } catch (error) {
      ended(request.signal.aborted ? 'stopped' : 'no response');
      throw error;
    }
  };
}

function elapsed(start: number): string {
  const ms = performance.now() - start;
  return ms < 1000 ? `${Math.round(ms)} ms` : duration(ms);
}

function factsOf(from: Headers): string[] {
  const id = from.get(headers.requestId);
  const [left, limit] = [from.get(headers.rateRemaining), from.get(headers.rateLimit)];
  return [
    ...(id === null ? [] : [`request ${id}`]),
    ...(left === null || limit === null ? [] : [`${left} of ${limit} tokens left`]),
  ];
}

/**
 * Wraps a fetch so that a GET that was answered before is sent with If-None-Match. After a 304 the caller gets the body of
 * before with the headers of the new response.
 */
export function conditional(fetch: Fetch): Fetch {
  const known = new Map<string, { readonly etag: string; readonly body: string }>();
  return async (input, init) => {
    const request = new Request(input, init);
    const before = request.method === 'GET' ? known.get(request.url) : undefined;
    if (before) {
      request.headers.set('If-None-Match', before.etag);
      // Otherwise fetch adds `Cache-Control: no-cache`, with which servers send the whole response.
      request.headers.set('Cache-Control', 'max-age=0');
    }
    const response = await fetch(request);
    if (before && response.status === 304) return new Response(before.body, { headers: response.headers });
    const etag = response.headers.get('ETag');
    if (request.method === 'GET' && response.ok && etag !== null)
      known.set(request.url, { etag, body: await response.clone().text() });
    return response;
  };
}

/** OpenSSL's message for a server that does not speak TLS. */
const NO_TLS = /wrong version number|packet length too long|http request/;
/** Codes of the errors after a request by http to an https port. */
const NO_HTTP: readonly unknown[] = ['ECONNRESET', 'UND_ERR_SOCKET', 'HPE_INVALID_CONSTANT'];
/** Time limit of the test whether a port accepts https, in ms. */
const HANDSHAKE_MS = 3000;

/** The error for an address with the wrong scheme; undefined: the connection failed for another reason. */
async function otherScheme(url: URL, failure: NodeJS.ErrnoException): Promise<AddressError | undefined> {
  if (url.protocol === 'https:') return NO_TLS.test(failure.message) ? wrongScheme(url, 'http') : undefined;
  return NO_HTTP.includes(failure.code) && (await speaksTls(url)) ? wrongScheme(url, 'https') : undefined;
}

/** The error for a server that expects the other scheme, with the address to use instead. */
function wrongScheme({ protocol, host }: URL, other: 'http' | 'https'): AddressError {
  const address = `${other}://${host}`;
  return new AddressError(
    'network',
    `${host} does not speak ${protocol.slice(0, -1)} but ${other}.`,
    address,
  );
}

/** Whether a TLS handshake succeeds; nothing is sent. */
async function speaksTls({ hostname, port }: URL): Promise<boolean> {
  const socket = await handshake(hostname, Number(port || 80), HANDSHAKE_MS);
  socket?.destroy();
  return socket !== undefined;
}

/** A socket after the handshake, whatever the certificate; undefined: there was none. */
export async function handshake(
  hostname: string,
  port: number,
  timeout: number,
): Promise<TLSSocket | undefined> {
  const { connect } = await import('node:tls');
  const host = hostname.replace(/^\[|\]$/g, '');
  const named = isIP(host) ? {} : { servername: host };
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...named, rejectUnauthorized: false, timeout });
    const fail = () => {
      socket.destroy();
      resolve(undefined);
    };
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', fail);
    socket.once('timeout', fail);
  });
}

/** The limit of redirects per request. */
const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/**
 * After these redirects a POST is sent again with its body. After others it would become a GET, a different request.
 */
const METHOD_PRESERVING: readonly number[] = [307, 308];

/**
 * Node's fetch for the command line. It follows redirects only within one origin, because the key belongs to that
 * origin, and it reports an address with the wrong scheme.
 * @param userAgent The User-Agent header.
 * @throws AddressError as a rejection: the server redirects to another origin, or expects the other scheme.
 */
export const fetchAs =
  (userAgent: string): Fetch =>
  async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const { url, method, signal } = request;
    const headers = new Headers(request.headers);
    headers.set('User-Agent', userAgent);
    // Reads the body into memory, so that it can be sent a second time.
    const body = request.body && (await request.arrayBuffer());
    return follow(new URL(url), { method, headers, body, signal, redirect: 'manual' }, MAX_REDIRECTS);
  };

async function follow(url: URL, init: RequestInit, left: number): Promise<Response> {
  const response = await send(url, init);
  const { status, headers, body } = response;
  const location = headers.get('Location');
  if (!REDIRECTS.includes(status) || location === null) return response;
  const target = new URL(location, url);
  const isElsewhere = target.origin !== url.origin;
  const isFollowed = init.method === 'GET' || METHOD_PRESERVING.includes(status);
  if (!isElsewhere && !isFollowed) return response;
  await body?.cancel();
  if (isElsewhere) {
    const behind = addressBehind(target);
    throw new AddressError('usage', `${url.origin} redirects to another server, ${behind}.`, behind);
  }
  if (left === 0) throw new Error('redirected too often');
  return follow(target, init, left - 1);
}

async function send(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    // The message of fetch is only "fetch failed"; the reason is in its cause.
    const { cause = error } = error as Error;
    throw (await otherScheme(url, cause as NodeJS.ErrnoException)) ?? error;
  }
}

/** Statuses of a server that does not know the path, or that redirects. Other failures may come from a proxy. */
const FOREIGN = [301, 302, 303, 307, 308, 400, 404, 405];

/**
 * Wraps a fetch so that it rejects a response that is not from an svc server. Responses of an svc server have a header
 * with the API version; if a proxy drops it, the response must at least have the first field of the requested read.
 * @throws AddressError `unexpected`, as a rejection.
 */
export function fromServer(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, ok } = response;
    if (response.headers.get(headers.version) !== null || !(ok || FOREIGN.includes(status))) return response;
    const text = await response.clone().text();
    const url = new URL(input instanceof URL || typeof input === 'string' ? input : input.url);
    const expected = ok ? await firstField(url.pathname) : 'error';
    if (!hasField(text, expected) && !(ok && text === '')) {
      // An https server responds like this to a request by http.
      if (status === 400 && url.protocol === 'http:' && (await speaksTls(url)))
        throw wrongScheme(url, 'https');
      const type = response.headers.get('Content-Type')?.split(';')[0] ?? 'no content type';
      throw new AddressError(
        'unexpected',
        `${url.origin} is not an svc server: it answers ${url.pathname} with status ${status}, ${type}.`,
      );
    }
    return response;
  };
}

/** A field of every response to a path; undefined: the path is unknown. */
async function firstField(path: string): Promise<string | undefined> {
  if (path.endsWith(MCP_PATH)) return 'jsonrpc';
  const { resources } = await import('../../contract/registry.js');
  const { crawlerEvents } = await import('../../contract/crawler-events.js');
  const known = [...Object.entries(resources), [crawlerEvents.name, crawlerEvents] as const];
  const [, resource] = known.find(([name]) => path.endsWith(`/api/v1/${name}`)) ?? [];
  return resource && Object.keys(resource.response.fields)[0];
}

function hasField(text: string, field: string | undefined): boolean {
  try {
    const value: unknown = JSON.parse(text);
    // An MCP batch is a list.
    const all: unknown[] = Array.isArray(value) && field === 'jsonrpc' ? value : [value];
    return all.every((each) => each instanceof Object && (field === undefined || Object.hasOwn(each, field)));
  } catch {
    return false;
  }
}
