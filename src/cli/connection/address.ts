import { MCP_PATH } from '../../contract/mcp.js';

/** Hosts of this machine, where a server usually speaks http. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/i;
/** `host`, `host:port`, `[::1]:port` and a path: an address without its scheme. */
const WITHOUT_SCHEME = /^((?:[\w-]+\.)*[\w-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/.*)?$/i;
/** What an address ends with that was copied from a request. */
const ENDPOINT = new RegExp(`/api/v1(?:/.*)?$|${MCP_PATH}/?$`);

/**
 * The server's address as people mean it: with a scheme (http on this machine, else https), and without the path of an
 * endpoint. Anything else comes back as it is.
 */
export function serverAddress(given: string): string {
  const text = given.trim();
  const [, host] = WITHOUT_SCHEME.exec(text) ?? [];
  const whole = host === undefined ? text : `${LOOPBACK.test(host) ? 'http' : 'https'}://${text}`;
  if (!/^https?:\/\//i.test(whole) || /[?#]/.test(whole)) return whole;
  return whole.replace(ENDPOINT, '').replace(/(?<=[^/:])\/+$/, '');
}

/** The address that was meant by another one of the server, as `Location` states it. */
export const addressBehind = (url: URL): string => serverAddress(url.origin + url.pathname);
