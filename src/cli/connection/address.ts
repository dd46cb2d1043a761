import { MCP_PATH } from '../../contract/mcp.js';
import { isLoopback } from '../../contract/paths.js';

/** Hosts of this machine, where a server usually uses http. */
const isThisMachine = (host: string): boolean => isLoopback(host.toLowerCase()) || host === '0.0.0.0';
/** `host`, `host:port`, `[::1]:port` and a path: an address without its scheme. */
const WITHOUT_SCHEME = /^((?:[\w-]+\.)*[\w-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/.*)?$/i;
/** The end of an address that was copied from a request. */
const ENDPOINT = new RegExp(`/api/v1(?:/.*)?$|${MCP_PATH}/?$`);

/**
 * The server's address with a scheme (http on this machine, else https) and without the path of an endpoint. Any other text
 * is returned unchanged.
 */
export function serverAddress(given: string): string {
  const text = given.trim();
  const [, host] = WITHOUT_SCHEME.exec(text) ?? [];
  const whole = host === undefined ? text : `${isThisMachine(host) ? 'http' : 'https'}://${text}`;
  if (!/^https?:\/\//i.test(whole) || /[?#]/.test(whole)) return whole;
  return whole.replace(ENDPOINT, '').replace(/(?<=[^/:])\/+$/, '');
}

/** The server's address in the target of a redirect. */
export const addressBehind = (url: URL): string => serverAddress(url.origin + url.pathname);
