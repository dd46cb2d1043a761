import { MCP_PATH } from '../../contract/mcp.js';
import { headers } from '../../contract/versions.js';
import { AddressError } from '../failure/command-error.js';
import { speaksTls, wrongScheme } from './fetch.js';

type Fetch = typeof globalThis.fetch;

/** Statuses of a server that does not know the path, or that redirects. Other failures may come from a proxy. */
const FOREIGN = [301, 302, 303, 307, 308, 400, 404, 405];

/**
 * Wraps a fetch so that it rejects a response that is not from an svc server. Responses of an svc server have a header
 * with the API version; if a proxy drops it, the response must at least have the first field of the requested read.
 * @throws AddressError `unexpected`, as a rejection.
 */
export function fromServer(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, ok } = response;
    if (response.headers.get(headers.version) !== null || !(ok || FOREIGN.includes(status))) return response;
    const text = await response.clone().text();
    const url = new URL(input instanceof URL || typeof input === 'string' ? input : input.url);
    const expected = ok ? await firstField(url.pathname) : 'error';
    if (!hasField(text, expected) && !(ok && text === '')) {
      // An https server responds like this to a request by http.
      if (status === 400 && url.protocol === 'http:' && (await speaksTls(url)))
        throw wrongScheme(url, 'https');
      const type = response.headers.get('Content-Type')?.split(';')[0] ?? 'no content type';
      throw new AddressError(
        'unexpected',
        `${url.origin} is not an svc server: it answers ${url.pathname} with status ${status}, ${type}.`,
      );
    }
    return response;
  };
}

/** A field of every response to a path; undefined: the path is unknown. */
async function firstField(path: string): Promise<string | undefined> {
  if (path.endsWith(MCP_PATH)) return 'jsonrpc';
  const { resources } = await import('../../contract/registry.js');
  const { crawlerEvents } = await import('../../contract/crawler-events.js');
  const known = [...Object.entries(resources), [crawlerEvents.name, crawlerEvents] as const];
  const [, resource] = known.find(([name]) => path.endsWith(`/api/v1/${name}`)) ?? [];
  return resource && Object.keys(resource.response.fields)[0];
}

function hasField(text: string, field: string | undefined): boolean {
  try {
    const value: unknown = JSON.parse(text);
    // An MCP batch is a list.
    const all: unknown[] = Array.isArray(value) && field === 'jsonrpc' ? value : [value];
    return all.every((each) => each instanceof Object && (field === undefined || Object.hasOwn(each, field)));
  } catch {
    return false;
  }
}
