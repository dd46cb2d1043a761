/** Sends a GET to public addresses only: it checks the addresses of a name and connects to one of these. */
import { type LookupAddress, lookup } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** The statuses of redirects. They are not followed here. */
export const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The fetch of a robots.txt failed. The message may be shown to users. */
export class RobotsFetchError extends Error {
  override readonly name = 'RobotsFetchError';
}

export interface ConnectOptions {
  /** Whether private and loopback addresses are allowed too. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  /** The time limit of the TLS handshake. After it, only the signal limits the time. */
  readonly secureWithinMs: number;
  /** Absent: that of a robots.txt check. */
  readonly userAgent?: string;
}

const REQUEST_HEADERS = {
  'User-Agent': 'svc (robots.txt check)',
  Accept: 'text/plain, */*;q=0.5',
  'Accept-Encoding': 'identity',
};

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

const notPublic = (host: string) => new RobotsFetchError(`${host} has no public address`);

/**
 * Sends a GET and returns the response before its body is read.
 * @throws RobotsFetchError for an address that is not public; any error of the connection.
 */
export function get(url: URL, options: ConnectOptions): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // An address that is written out is never looked up.
  if (!options.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
    return Promise.reject(notPublic(host));
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).get(url, {
      agent: false,
      headers: { ...REQUEST_HEADERS, ...(options.userAgent && { 'User-Agent': options.userAgent }) },
      signal: options.signal,
      ...(options.allowPrivate ? {} : { lookup: publicLookup }),
    });
    if (url.protocol === 'https:') {
      const late = new RobotsFetchError('no TLS connection in time');
      const cut = setTimeout(() => request.destroy(late), options.secureWithinMs);
      request.on('close', () => clearTimeout(cut));
      request.on('socket', (socket) => socket.once('secureConnect', () => clearTimeout(cut)));
    }
    request.on('response', resolve);
    request.on('error', reject);
  });
}
