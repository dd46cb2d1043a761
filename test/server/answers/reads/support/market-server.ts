/** A server on a small market: brand `b` (Acme, acme.com), competitor `c` (Globex, globex.io), prompts `p` and `q`. */
import { type TestServer, testServer } from '../../../../support/server.js';
import { market, NOW, runOf } from '../../../intake/dataset/support/load.js';

export { market, NOW, runOf };

export interface MarketServer extends TestServer {
  /** The body of a read of brand `b`; `query` begins with & or is empty. */
  body<T = never>(read: string, query?: string): Promise<T>;
  /** The words of a 400. */
  refused(read: string, query: string): Promise<string>;
  /** Loads the market and more. */
  collect(...lines: object[]): Promise<void>;
}

export async function marketServer(now = NOW): Promise<MarketServer> {
  const server = await testServer({ now });
  const request = (read: string, query: string) => {
    // A second refills the token that the request takes.
    server.pass();
    return server.request(`/api/v1/${read}?brand=b${query}`);
  };
  return Object.assign(server, {
    body: async (read: string, query = '') => {
      const response = await request(read, query);
      if (response.status !== 200) throw new Error(`${read}${query}: ${await response.text()}`);
      return (await response.json()) as never;
    },
    refused: async (read: string, query: string) => {
      const response = await request(read, query);
      if (response.status !== 400) throw new Error(`${read}${query}: ${response.status}`);
      return ((await response.json()) as { error: string }).error;
    },
    collect: async (...lines: object[]) => {
      await server.load([...market, ...lines]);
    },
  });
}

/** The last millisecond of a UTC day and the first are both of that day. */
export const at = (day: string, time = '08:00:00'): { collected_at: string } => ({
  collected_at: `${day}T${time}Z`,
});
