/** Requests to paths of a server that are not of the API: links that sign in, links that show a brand. */
import { redactor } from '../../sdk/log.js';
import { answerOf, failureOf } from '../../sdk/transport.js';

export interface Connection {
  /** The address of the server. */
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request with the key, and returns the object of the answer.
 * @throws SvcError if the server refuses, or does not respond.
 */
export async function requestJson<T>(
  { url, key, fetch, signal }: Connection,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
): Promise<T> {
  const redact = redactor(key);
  const init = { method, headers: { Authorization: `Bearer ${key}` }, ...(signal && { signal }) };
  try {
    return (await answerOf(await fetch(url + path, init), redact)).data as T;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw failureOf(error as Error, url, 'No answer in time', redact);
  }
}
