import type { IncomingMessage, RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { headers as names } from '../../contract/versions.js';

const pack = promisify(gzip);
/** Tokens at which a shipping that goes on like this will soon have to wait. */
const FEW_TOKENS = 10;

export interface ShippingFetchOptions {
  readonly gzip: boolean;
  /** Told when the rate limit is, or soon will be, in the way. */
  readonly onScarcity: () => void;
}

interface Posted {
  readonly url: URL;
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal | undefined;
}

/**
 * POST by node:http, in the shape of fetch as far as the SDK uses it: Node's own fetch takes longer to load than a short
 * shipping lasts. The body is compressed here, in another thread.
 */
export function shippingFetch({ gzip, onScarcity }: ShippingFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const { url, body, headers, signal } = await posted(input, init);
    const wire = gzip ? await pack(body) : body;
    const encoding = gzip ? { 'Content-Encoding': 'gzip' } : {};
    const sized = { ...headers, ...encoding, 'Content-Length': String(wire.length) };
    const response = await post(url, wire, { method: 'POST', headers: sized, ...(signal && { signal }) });
    const { statusCode: status = 0 } = response;
    const get = (name: string) => response.headers[name.toLowerCase()]?.toString() ?? null;
    const left = get(names.rateRemaining);
    if (status === 429 || (left !== null && Number(left) < FEW_TOKENS)) onScarcity();
    const stated = (name: string) =>
      get(name) ?? (status === 429 && name === names.retryAfter ? untilReset(get(names.rateReset)) : null);
    const answer = { status, ok: status >= 200 && status < 300, headers: { get: stated } };
    return { ...answer, text: () => text(response) } as unknown as Response;
  };
}

/** A refusal without Retry-After may still say when the bucket is full; seconds, at most a minute. */
function untilReset(reset: string | null): string | null {
  const seconds = Math.ceil(Number(reset ?? Number.NaN) - Date.now() / 1000);
  return Number.isNaN(seconds) ? null : String(Math.min(48, Math.max(1, seconds)));
}

async function posted(input: string | URL | Request, init: RequestInit | undefined): Promise<Posted> {
  const isRequest = !(input instanceof URL || typeof input === 'string');
  const asked = isRequest ? input : { url: input, ...init };
  const given = (asked.headers ?? {}) as Iterable<[string, string]> | Record<string, string>;
  return {
    url: new URL(asked.url),
    body: isRequest ? new Uint8Array(await input.arrayBuffer()) : (init?.body as Uint8Array),
    headers: Symbol.iterator in given ? Object.fromEntries(given) : given,
    signal: asked.signal ?? undefined,
  };
}

async function post(url: URL, body: Uint8Array, options: RequestOptions): Promise<IncomingMessage> {
  const client = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const request = client.request(url, options, resolve);
    request.on('error', reject);
    request.end(body);
  });
}
