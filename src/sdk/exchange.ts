import { ConnectionError, errorOfStatus, SvcError } from './errors.js';
import { metadataOf, retryAfterSeconds, type WithResponse } from './metadata.js';
import { safeCause } from './redaction.js';

/** As much of a body that is not JSON as an error carries. */
const LONGEST_TEXT = 1000;

export interface Request {
  readonly url: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly redact: (text: string) => string;
  /** Sent by POST; absent: a GET. */
  readonly body?: Uint8Array | ArrayBuffer | string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends one request and gives the answer's JSON.
 * @throws SvcError for every other answer and for none, or the signal's reason.
 */
export async function exchange(request: Request, signal: AbortSignal): Promise<WithResponse<unknown>> {
  const { url, redact } = request;
  try {
    const response = await sent(request, signal);
    return answerOf(response, await response.text(), redact);
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    if (thrown instanceof SvcError) throw thrown;
    const cause = safeCause(thrown, redact);
    throw new ConnectionError(`No connection to ${new URL(url).origin}: ${rootMessage(cause)}`, { cause });
  }
}

/** ky is loaded with the first request: it touches the global Request, which costs Node about 20 ms. */
async function sent({ url, apiKey, fetch, body, headers }: Request, signal: AbortSignal): Promise<Response> {
  const { default: ky } = await import('./ky.js');
  return ky(url, {
    ...(body && { method: 'POST', body: body as ArrayBuffer }),
    headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}`, ...headers },
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    signal,
    // A bare reference would be called as a method of ky's options, which browsers refuse.
    ...(fetch && { fetch: (...args: Parameters<typeof fetch>) => fetch(...args) }),
  });
}

/** fetch says only "fetch failed"; what failed is in its cause. */
function rootMessage(error: Error): string {
  const { cause } = error;
  if (cause instanceof Error) return rootMessage(cause);
  return error.message || (error as { code?: string }).code || error.name;
}

function answerOf(response: Response, text: string, redact: (text: string) => string): WithResponse<unknown> {
  const { status, ok, headers } = response;
  const metadata = metadataOf(headers);
  const json = parsed(ok ? text : redact(text));
  if (ok && json) return { data: json, ...metadata };
  const stated = (json as { error?: unknown } | undefined)?.error;
  const type = headers.get('Content-Type') ?? 'no content type';
  throw errorOfStatus(
    status,
    typeof stated === 'string'
      ? stated
      : `The server's answer is not JSON of the API (status ${status}, ${type}). Is the address right?`,
    {
      body: json ?? redact(text).slice(0, LONGEST_TEXT),
      ...metadata,
      retryAfterSeconds: retryAfterSeconds(headers),
    },
  );
}

/** The object that the text is as JSON; every answer of the API is one. */
export function parsed(text = ''): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value instanceof Object ? value : undefined;
  } catch {
    return undefined;
  }
}
