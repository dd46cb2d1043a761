/** Links that sign in to the page of a server once. */
import { SIGN_IN_LINKS_PATH, type SignInLink } from '../../contract/paths.js';
import { redactor } from '../../sdk/log.js';
import { answerOf, failureOf } from '../../sdk/transport.js';

interface LinkRequest {
  /** The address of the server. */
  readonly url: string;
  readonly key: string;
  /** The brand that the link leads to; undefined: the list of brands. */
  readonly brand: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
}

/**
 * Makes a link that signs in with the key once.
 * @throws SvcError if the server refuses, or does not respond.
 */
export async function signInLink({ url, key, brand, fetch, signal }: LinkRequest): Promise<SignInLink> {
  const redact = redactor(key);
  const query = brand === undefined ? '' : `?${new URLSearchParams({ brand })}`;
  const init = { method: 'POST', headers: { Authorization: `Bearer ${key}` }, ...(signal && { signal }) };
  try {
    const response = await fetch(`${url}${SIGN_IN_LINKS_PATH}${query}`, init);
    return (await answerOf(response, redact)).data as SignInLink;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw failureOf(error as Error, url, 'No answer in time', redact);
  }
}
