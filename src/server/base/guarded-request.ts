/** Sends requests to public addresses only: it checks the addresses of a name and connects to one of these. */

import { type LookupAddress, lookup } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../logs/clients/address.js';

/** The statuses of redirects. They are not followed here. */
export const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A request cannot be sent, or takes too long. The message may be shown to users. */
export class GuardedRequestError extends Error {
  override readonly name = 'GuardedRequestError';
}

/** The codes of certificates that are not accepted; all others of TLS and of OpenSSL begin with ERR_. */
const CERTIFICATE_CODES =
  /^(CERT_|CRL_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|ERR_TLS_CERT_)/;

export const isCertificateFault = (code: string): boolean => CERTIFICATE_CODES.test(code);

/** What is wrong then, and what helps. */
export const CERTIFICATE_FAULT =
  'its certificate is not valid or not trusted; NODE_EXTRA_CA_CERTS names the file of a private authority';

export interface GuardedOptions {
  /** Whether private and loopback addresses are allowed too. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  /** The time limit of the TLS handshake. After it, only the signal limits the time. */
  readonly secureWithinMs: number;
}

/** Resolves a name to its public addresses, and fails if it has none. Only checked addresses are connected to. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, []);
    const open = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = open;
    if (!first) return done(notPublic(hostname), []);
    return options.all ? done(null, open) : done(null, first.address, first.family);
  });
};

const notPublic = (host: string) => new GuardedRequestError(`${host} has no public address`);

/**
 * Sends a GET for a text and returns the response before its body is read.
 * @throws GuardedRequestError for an address that is not public; any error of the connection.
 */
export function get(
  url: URL,
  { userAgent, ...options }: GuardedOptions & { readonly userAgent: string },
): Promise<IncomingMessage> {
  const headers = { Accept: 'text/plain, */*;q=0.5', 'Accept-Encoding': 'identity' };
  return send(url, { method: 'GET', headers: { 'User-Agent': userAgent, ...headers } }, options);
}

/**
 * Sends a POST and returns the response before its body is read.
 * @throws GuardedRequestError for an address that is not public; any error of the connection.
 */
export function post(
  url: URL,
  { headers, body, ...options }: GuardedOptions & { readonly headers: Headers; readonly body: Buffer },
): Promise<IncomingMessage> {
  const all = { 'User-Agent': 'svc', ...headers, 'Content-Length': String(body.length) };
  return send(url, { method: 'POST', headers: all, body }, options);
}

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: Buffer;
}

function send(url: URL, { method, headers, body }: Sent, options: GuardedOptions): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // An address that is written out is never looked up.
  if (!options.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
    return Promise.reject(notPublic(host));
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      agent: false,
      headers,
      signal: options.signal,
      ...(options.allowPrivate ? {} : { lookup: publicLookup }),
    });
    if (url.protocol === 'https:') {
      const late = new GuardedRequestError('no TLS connection in time');
      const cut = setTimeout(() => request.destroy(late), options.secureWithinMs);
      request.on('close', () => clearTimeout(cut));
      request.on('socket', (socket) => socket.once('secureConnect', () => clearTimeout(cut)));
    }
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}
