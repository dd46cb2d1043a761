/** Links that sign in to the page of a server once. */

import { spawn } from 'node:child_process';
import { SIGN_IN_LINKS_PATH, type SignInLink } from '../../contract/paths.js';
import { type Connection, requestJson } from './request.js';

interface LinkRequest extends Connection {
  /** The brand that the link leads to; undefined: the list of brands. */
  readonly brand: string | undefined;
  /** One of its prompts, or of its answers. */
  readonly prompt?: string | undefined;
  readonly answer?: string | undefined;
}

/**
 * Makes a link that signs in with the key once.
 * @throws SvcError if the server refuses, or does not respond.
 */
export function signInLink({ brand, prompt, answer, ...connection }: LinkRequest): Promise<SignInLink> {
  const stated = Object.entries({ brand, prompt, answer }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(stated as [string, string][]);
  return requestJson(connection, 'POST', SIGN_IN_LINKS_PATH + (query.size === 0 ? '' : `?${query}`));
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
