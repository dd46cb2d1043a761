import { headers } from '../../contract/versions.js';
import { duration } from '../render/duration.js';

type Fetch = typeof globalThis.fetch;

/**
 * Wraps a fetch so that each response is described on one line: `GET /api/v1/overview → 200 in 34 ms · request 7f… · 117
 * of 120 tokens left`. Headers of requests, which hold the key, are not part of it.
 */
export function describing(fetch: Fetch, write: (line: string) => void): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const name = `${request.method} ${pathname}${search}`;
    const start = performance.now();
    const ended = (end: string, facts: readonly string[] = []) =>
      write([`${name} → ${end} in ${elapsed(start)}`, ...facts].join(' · '));
    try {
      const response = await fetch(request);
      ended(String(response.status), factsOf(response.headers));
      return response;
    } catch (error) {
      ended(request.signal.aborted ? 'stopped' : 'no response');
      throw error;
    }
  };
}

function elapsed(start: number): string {
  const ms = performance.now() - start;
  return ms < 1000 ? `${Math.round(ms)} ms` : duration(ms);
}

function factsOf(from: Headers): string[] {
  const id = from.get(headers.requestId);
  const [left, limit] = [from.get(headers.rateRemaining), from.get(headers.rateLimit)];
  return [
    ...(id === null ? [] : [`request ${id}`]),
    ...(left === null || limit === null ? [] : [`${left} of ${limit} tokens left`]),
  ];
}
