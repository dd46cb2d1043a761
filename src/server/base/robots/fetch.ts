/** Fetches the robots.txt of a site, by https and then http, from public addresses, with limits on redirects, time and size. */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { READ_CACHE_SECONDS } from '../../../contract/limits.js';
import { escapeControls } from '../../../contract/printable.js';
import type { Clock } from '../clock.js';
import { asEncoding, decompressed, isCorrupt, sniffedEncoding, statedEncodings } from '../encodings.js';
import { type GuardedOptions, GuardedRequestError, get, REDIRECTS } from '../guarded-request.js';
import { parseRobots, type RobotsGroup } from './parse.js';

/** The result of a check. `absent`: the site has no robots.txt, so nothing is blocked. `error`: unknown. */
export type RobotsState =
  | { readonly state: 'ok'; readonly groups: readonly RobotsGroup[] }
  | { readonly state: 'absent' }
  | { readonly state: 'error'; readonly reason: string };

interface RobotsFetchOptions {
  readonly allowPrivate: boolean;
  /** The time limit of the whole check: both schemes and all redirects. */
  readonly timeoutMs?: number;
}

export const ROBOTS_TIMEOUT_MS = 5000;
const MAX_REDIRECTS = 5;
/** RFC 9309 requires crawlers to read at least this much. */
const MAX_BYTES = 500 * 1024;

/**
 * Fetches the robots.txt of a domain (host or host:port; the port is used only if private addresses are allowed). Never
 * throws: after a failure the state is `error`, with its reason.
 */
export async function fetchRobots(
  domain: string,
  { allowPrivate, timeoutMs = ROBOTS_TIMEOUT_MS }: RobotsFetchOptions,
): Promise<RobotsState> {
  const host = allowPrivate ? domain : domain.replace(/:\d+$/, '');
  if (host === '' || !URL.canParse(`https://${host}/robots.txt`)) {
    return { state: 'error', reason: 'the brand has no domain to ask' };
  }
  const signal = AbortSignal.timeout(timeoutMs);
  const options = { allowPrivate, signal, secureWithinMs: timeoutMs * 0.6 };
  const late = new Promise<RobotsState>((resolve) => {
    const onAbort = () => resolve({ state: 'error', reason: `no answer within ${timeoutMs / 1000} s` });
    signal.addEventListener('abort', onAbort, { once: true });
  });
  // The signal does not abort the look-up of a name.
  return Promise.race([late, fetchEither(host, options)]);
}

async function fetchEither(host: string, options: GuardedOptions): Promise<RobotsState> {
  let reason = '';
  for (const scheme of ['https', 'http']) {
    try {
      return await follow(new URL(`${scheme}://${host}/robots.txt`), options);
    } catch (error) {
      reason = reasonOf(error, options.signal);
    }
  }
  return { state: 'error', reason };
}

async function follow(first: URL, options: GuardedOptions): Promise<RobotsState> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await get(url, { ...options, userAgent: 'svc (robots.txt check)' });
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!REDIRECTS.has(status) || location === undefined) return stateOf(response, status);
    response.destroy();
    url = nextUrl(location, url);
  }
  throw new GuardedRequestError(`more than ${MAX_REDIRECTS} redirects`);
}

function nextUrl(location: string, from: URL): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new GuardedRequestError('a redirect that leads nowhere');
  return url;
}

async function stateOf(response: IncomingMessage, status: number): Promise<RobotsState> {
  if (status >= 200 && status < 300) return readFile(response);
  response.destroy();
  if (status >= 400 && status < 500 && status !== 429) return { state: 'absent' };
  return { state: 'error', reason: `HTTP status ${status}` };
}

/** Reads the file of a successful response. A file that cannot be decoded has the state `error`. */
async function readFile(response: IncomingMessage): Promise<RobotsState> {
  const stated = statedEncodings(response.headers['content-encoding'] ?? '');
  // Compressed bytes: compression can make a file a few bytes longer, so the limit is higher.
  const wire = await firstChunks(response, 2 * MAX_BYTES);
  const name = stated.length > 0 ? stated.join(', ') : sniffedEncoding(wire);
  if (name === null || wire.length === 0) return { state: 'ok', groups: parseRobots(await textOf(wire)) };
  const encoding = asEncoding(name);
  if (!encoding)
    return { state: 'error', reason: `it came compressed as ${escapeControls(name.slice(0, 40))}` };
  try {
    return { state: 'ok', groups: parseRobots(await textOf(decompressed(wire, encoding))) };
  } catch (error) {
    if (isCorrupt(error))
      return { state: 'error', reason: `it came as ${encoding} and is not valid ${encoding}` };
    throw error;
  }
}

/** The first bytes as text, without a line that the limit cuts: a cut path is another path. */
async function textOf(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string> {
  const whole = Buffer.concat(await firstChunks(bytes, MAX_BYTES));
  const text = whole.subarray(0, MAX_BYTES).toString('utf8');
  return whole.length > MAX_BYTES
    ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
    : text;
}

/** The first chunks, until they have more than `bytes`; all chunks if they have less. */
async function firstChunks(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  bytes: number,
): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytes) break;
  }
  return chunks;
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof GuardedRequestError) return error.message;
  if (signal.aborted) return 'no answer in time';
  const { code } = error as NodeJS.ErrnoException;
  return code ? `connection failed (${code})` : 'connection failed';
}

// Caches robots checks for an hour, failures too. Concurrent reads share one fetch.

interface RobotsCheck {
  readonly state: RobotsState;
  /** When the check began, in ms. It distinguishes two checks of a domain. */
  readonly checkedAt: number;
}

export interface RobotsChecks {
  /** The check of a domain that is at most an hour old. */
  of(domain: string): Promise<RobotsCheck>;
}

const KEEP_MS = READ_CACHE_SECONDS * 1000;

export function createRobotsChecks(
  clock: Clock,
  options: RobotsFetchOptions,
  fetch: typeof fetchRobots = fetchRobots,
): RobotsChecks {
  const kept = new LRUCache<string, { checkedAt: number; check: Promise<RobotsCheck> }>({ max: 1000 });
  return {
    of(domain) {
      const now = clock().getTime();
      const former = kept.get(domain);
      if (former && Math.abs(now - former.checkedAt) < KEEP_MS) return former.check;
      const check = fetch(domain, options).then((state) => ({ state, checkedAt: now }));
      kept.set(domain, { checkedAt: now, check });
      return check;
    },
  };
}
