/** Links that sign in to the page of a server once. */

import { spawn } from 'node:child_process';
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

// Opens addresses in the browser of the user.

/** The command of each platform that opens an address. No shell reads the address. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Returns whether the command that opens the address could be started. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
