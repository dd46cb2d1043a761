import { ConnectionError, errorOfStatus, SvcError, TimeoutError } from './errors.js';
import { metadataOf, retryAfterSeconds, type WithResponse } from './metadata.js';
import { safeCause } from './redaction.js';

/** The longest part of a body that is not JSON in an error. */
const LONGEST_TEXT = 1000;

/**
 * Returns the JSON of a response.
 * @throws SvcError for every response that is not 2xx, or not JSON.
 */
export async function answerOf(
  response: Response,
  redact: (text: string) => string,
): Promise<WithResponse<unknown>> {
  const { status, ok, headers } = response;
  const text = await response.text();
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

/** Parses a JSON object; undefined: the text is not one. Every response of the API is one. */
export function parsed(text = ''): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value instanceof Object ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The error of a failed request. An SvcError is returned unchanged; others are copied without the data of the request.
 */
export function failureOf(
  thrown: Error,
  url: string,
  late: string,
  redact: (text: string) => string,
): SvcError {
  if (thrown instanceof SvcError) return thrown;
  if (thrown.name === 'TimeoutError') return new TimeoutError(late);
  const cause = safeCause(thrown, redact);
  return new ConnectionError(`No connection to ${new URL(url).origin}: ${rootMessage(cause)}`, { cause });
}

/** The message of fetch is only "fetch failed"; the reason is in its cause. */
function rootMessage(error: Error): string {
  const { cause } = error;
  if (cause instanceof Error) return rootMessage(cause);
  return error.message || (error as { code?: string }).code || error.name;
}
