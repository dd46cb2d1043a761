/** One GET that connects to public addresses only: what a name resolves to is checked, and that is connected to. */
import { type LookupAddress, lookup } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Why a robots.txt could not be had, in words that may be shown. */
export class RobotsFetchError extends Error {
  override readonly name = 'RobotsFetchError';
}

export interface ConnectOptions {
  /** Private and loopback addresses too. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  /** Time to make a TLS connection; after that the signal alone counts. */
  readonly secureWithinMs: number;
}

const REQUEST_HEADERS = {
  'User-Agent': 'svc (robots.txt check)',
  Accept: 'text/plain, */*;q=0.5',
  'Accept-Encoding': 'identity',
};

/** Resolves names and refuses when none of the addresses is public; connects to no address that was not checked. */
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
 * The response of a GET, its body not yet read.
 * @throws RobotsFetchError for an address that is not public, and whatever connecting fails with.
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
      headers: REQUEST_HEADERS,
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
