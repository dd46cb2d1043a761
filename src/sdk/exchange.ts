import { unlessAborted } from './cancellation.js';
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
  readonly body?: Uint8Array | ArrayBuffer | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** How one request ended. */
export type Outcome = { readonly answer: WithResponse<unknown> } | Failure;
export interface Failure {
  readonly error: SvcError;
  /** Null: not stated, or there was no answer. */
  readonly retryAfterSeconds: number | null;
}

/**
 * Sends one request and reads the answer's body. Never rejects but with the signal's reason.
 * ky is loaded with the first request: it touches the global Request, which costs Node about 20 ms.
 */
export async function exchange(request: Request, signal: AbortSignal): Promise<Outcome> {
  const { url, apiKey, fetch, redact, body } = request;
  try {
    const { default: ky } = await import('ky');
    const options = {
      ...(body && { method: 'POST', body: body as ArrayBuffer }),
      headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}`, ...request.headers },
      retry: 0,
      timeout: false as const,
      throwHttpErrors: false,
      signal,
      // A bare reference would be called as a method of ky's options, which browsers refuse.
      ...(fetch && { fetch: (...args: Parameters<typeof fetch>) => fetch(...args) }),
    };
    const response: Response = await unlessAborted(signal, ky(url, options));
    return outcomeOf(response, await unlessAborted(signal, response.text()), redact);
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    const cause = safeCause(thrown, redact);
    const error = new ConnectionError(`No connection to ${new URL(url).origin}: ${rootMessage(cause)}`, {
      cause,
    });
    return { error, retryAfterSeconds: null };
  }
}

/** fetch says only "fetch failed"; what failed is in its cause. */
function rootMessage(error: Error): string {
  const { cause } = error;
  if (cause instanceof Error) return rootMessage(cause);
  return error.message || (error as { code?: string }).code || error.name;
}

function outcomeOf(response: Response, text: string, redact: (text: string) => string): Outcome {
  const metadata = metadataOf(response.headers);
  const { status, ok } = response;
  const json = parsed(ok ? text : redact(text));
  if (ok && json !== undefined) return { answer: { data: json, ...metadata } };
  const after = retryAfterSeconds(response.headers);
  const body = json ?? redact(text).slice(0, LONGEST_TEXT);
  const details = { body, metadata, retryAfterSeconds: after };
  const error = ok
    ? new SvcError(notJson(response), { ...details, status })
    : errorOfStatus(status, statedError(json) ?? notJson(response), details);
  return { error, retryAfterSeconds: after };
}

/** The object that the text is as JSON; every answer of the API is one. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function statedError(body: object | undefined): string | undefined {
  const stated = (body as { error?: unknown } | undefined)?.error;
  return typeof stated === 'string' ? stated : undefined;
}

function notJson({ status, headers }: Response): string {
  const type = headers.get('Content-Type') ?? 'no content type';
  return `The answer is not the API's JSON (status ${status}, ${type}). Is the address right?`;
}
