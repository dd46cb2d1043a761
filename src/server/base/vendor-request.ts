/** Sends one request, once. The result states whether the call may have been charged. */

import type { Clock } from './clock.js';

export interface HttpRequest {
  /** Below the base URL, such as `/responses`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: the request is a GET. */
  readonly body: object | null;
}

// Failures of a connection before any byte of a request was sent.

/** Codes of Node and undici, with the reason for the report. */
const BEFORE_SENDING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  BAD_PORT: 'fetch blocks this port',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** The code if the request was provably not sent, else null. */
function notSent(error: unknown): string | null {
  const { cause, code } = (error ?? {}) as { cause?: { code?: unknown; message?: unknown }; code?: unknown };
  if (cause?.message === 'bad port') return 'BAD_PORT';
  const stated = String(cause?.code ?? code ?? '');
  return Object.hasOwn(BEFORE_SENDING, stated) ? stated : null;
}

/** The reason of a code that `notSent` returned, for the report. */
const reasonOf = (code: string): string => `${BEFORE_SENDING[code]} (${code})`;

export type Sent =
  /** The body of a 2xx response. */
  | { readonly kind: 'replied'; readonly body: string }
  /** The response has a status other than 2xx. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfterMs: number | null;
      readonly body: string;
    }
  /** Provably never sent: nothing was charged. */
  | { readonly kind: 'unsent'; readonly reason: string; readonly isRefused: boolean }
  /** Sent, and no complete response: it may have been charged. */
  | {
      readonly kind: 'lost';
      readonly why: 'stopped' | 'timeout' | 'too_long' | 'broken';
      readonly reason: string;
    };

interface SendOptions {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What a Retry-After with a date is compared with. */
  readonly clock: Clock;
  /** Responses are read up to this size. */
  readonly maxBytes?: number;
}

const MIB = 1024 * 1024;

/** Sends the request without a retry and without following redirects. Never rejects. */
export async function send({ path, headers, body }: HttpRequest, options: SendOptions): Promise<Sent> {
  const { baseUrl, timeoutMs, signal, clock, maxBytes = 16 * MIB } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(baseUrl + path, {
      method: body === null ? 'GET' : 'POST',
      // A kept connection may be closed by the other side while a request is on its way.
      headers: {
        ...(body !== null && { 'Content-Type': 'application/json' }),
        Accept: 'application/json',
        Connection: 'close',
        ...headers,
      },
      ...(body !== null && { body: JSON.stringify(body) }),
      // The key must not be sent to another address.
      redirect: 'manual',
      signal: AbortSignal.any([timeout, signal]),
    });
    const text = await limitedText(response, maxBytes);
    if (!response.ok) return refused(response, text ?? '', clock());
    if (text !== null) return { kind: 'replied', body: text };
    return { kind: 'lost', why: 'too_long', reason: `a response of more than ${maxBytes / MIB} MiB` };
  } catch (error) {
    if (signal.aborted) return { kind: 'lost', why: 'stopped', reason: 'interrupted' };
    if (timeout.aborted)
      return { kind: 'lost', why: 'timeout', reason: `no answer within ${timeoutMs / 1000} s` };
    const code = notSent(error);
    if (code !== null) return { kind: 'unsent', reason: reasonOf(code), isRefused: code === 'ECONNREFUSED' };
    return { kind: 'lost', why: 'broken', reason: 'the connection broke' };
  }
}

/** The body as text; null: it is longer. */
async function limitedText({ body }: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const refused = ({ status, headers }: Response, body: string, now: Date): Sent => ({
  kind: 'status',
  status,
  retryAfterMs: retryAfter(headers.get('retry-after'), now.getTime()) ?? retryDelay(body),
  body,
});

/** Milliseconds that a body of Google states; null: it states none. */
function retryDelay(body: string): number | null {
  const [, seconds] = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body) ?? [];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000);
}

/** Milliseconds of a Retry-After header: seconds or a date; null: absent or invalid. */
function retryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\s*\d{1,9}(?:\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
