import { AddressError } from '../failure/address-error.js';
import { addressBehind } from './address.js';
import { otherScheme } from './other-scheme.js';

type Fetch = typeof globalThis.fetch;

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
