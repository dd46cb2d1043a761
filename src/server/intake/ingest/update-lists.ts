/** Fetches the address lists that operators publish. A file that is not one is refused, and the list stays as it is. */
import type { IncomingMessage } from 'node:http';
import { isPublicAddress, rangeOf } from '../../../logs/clients/address.js';
import { type AddressList, type ListSource, SHORTEST_PREFIX } from '../../../logs/clients/lists.js';
import { GuardedRequestError, get, REDIRECTS } from '../../base/guarded-request.js';

const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 5;
const MAX_BYTES = 1024 * 1024;
const MAX_PREFIXES = 20_000;

/** Why a file is refused. The message may be shown to users. */
export class RefusedListError extends Error {
  override readonly name = 'RefusedListError';
}

export type ListContent = Pick<AddressList, 'created' | 'prefixes'>;

/** @throws RefusedListError, GuardedRequestError, any error of the connection */
export async function fetchList(url: string, allowPrivate: boolean): Promise<ListContent> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let at = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const options = { allowPrivate, signal, secureWithinMs: TIMEOUT_MS / 2 };
    const response = await get(at, { ...options, userAgent: 'svc (address lists)' });
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return contentOf(response);
    response.destroy();
    if (!URL.canParse(location, at.href)) throw new GuardedRequestError('a redirect that leads nowhere');
    at = new URL(location, at.href);
    if (at.protocol !== 'https:' && !allowPrivate)
      throw new GuardedRequestError('a redirect to an address without TLS');
  }
  throw new GuardedRequestError(`more than ${MAX_REDIRECTS} redirects`);
}

async function contentOf(response: IncomingMessage): Promise<ListContent> {
  if (response.statusCode !== 200) {
    response.destroy();
    throw new RefusedListError(`HTTP status ${response.statusCode}`);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) {
      response.destroy();
      throw new RefusedListError(`larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  return parseList(Buffer.concat(chunks).toString('utf8'));
}

/** The ranges of a file. @throws RefusedListError if any part of it is not what such a file has. */
export function parseList(text: string): ListContent {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new RefusedListError('not JSON, or truncated');
  }
  const texts = textsOf(file);
  if (texts === null) throw new RefusedListError('no list of prefixes in it');
  if (texts.length === 0) throw new RefusedListError('the list is empty');
  if (texts.length > MAX_PREFIXES) throw new RefusedListError(`more than ${MAX_PREFIXES} prefixes`);
  for (const prefix of texts) requireRange(prefix);
  return { created: createdOf(file), prefixes: texts as string[] };
}

function requireRange(prefix: unknown): void {
  const shown = JSON.stringify(prefix)?.slice(0, 60) ?? String(prefix);
  const range = typeof prefix === 'string' ? rangeOf(prefix) : null;
  if (range === null) throw new RefusedListError(`${shown} is not a prefix`);
  if (range.bits < SHORTEST_PREFIX[range.version]) throw new RefusedListError(`${shown} is too wide`);
  if (!isPublicAddress((prefix as string).split('/', 1)[0]!))
    throw new RefusedListError(`${shown} is not of the public internet`);
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** The prefixes of a file; null: it has another form. Crawlers are listed in one form, each network has its own. */
function textsOf(file: unknown): unknown[] | null {
  const top = objectOf(file);
  if (Array.isArray(top.prefixes))
    // Plain texts are refused: only copies that others keep have them.
    return top.prefixes.map((entry) => {
      const { ipv4Prefix, ipv6Prefix } = objectOf(entry);
      return ipv4Prefix ?? ipv6Prefix ?? null;
    });
  const networks = [
    [objectOf(top.result), 'ipv4_cidrs', 'ipv6_cidrs'],
    [top, 'addresses', 'ipv6_addresses'],
    [top, 'CLOUDFRONT_GLOBAL_IP_LIST', 'CLOUDFRONT_REGIONAL_EDGE_IP_LIST'],
  ] as const;
  for (const [from, ...keys] of networks) {
    const found = keys.map((key) => from[key]);
    if (found.every((part) => Array.isArray(part))) return found.flat();
  }
  return null;
}

const createdOf = (file: unknown): string | null => {
  const { creationTime } = objectOf(file);
  return typeof creationTime === 'string' ? (/^\d{4}-\d\d-\d\d/.exec(creationTime)?.[0] ?? null) : null;
};

export interface Refreshed {
  readonly list: ListSource;
  /** Null: it could not be fetched, or was refused. */
  readonly content: ListContent | null;
  readonly reason: string | null;
}

/** @param urlOf Where the list is fetched from. */
export async function refreshedList(
  list: ListSource,
  urlOf: (list: ListSource) => string,
  allowPrivate: boolean,
): Promise<Refreshed> {
  try {
    return { list, content: await fetchList(urlOf(list), allowPrivate), reason: null };
  } catch (error) {
    return { list, content: null, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof GuardedRequestError || error instanceof RefusedListError) return error.message;
  const { name, code } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  return code ? `connection failed (${code})` : 'connection failed';
}
