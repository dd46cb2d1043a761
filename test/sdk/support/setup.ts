import { SvcClient, type SvcClientOptions } from '../../../src/sdk/index.js';
import { fastClock } from './clocks.js';
import { KEY, type ServerOptions, startServer, type TestServer } from './server.js';

/** Runs `use` with a server of its own and a client of it whose time, like the bucket's, runs `speed` times as fast. */
export async function withServer<T>(
  options: ServerOptions & { client?: SvcClientOptions },
  use: (svc: SvcClient, server: TestServer) => Promise<T>,
): Promise<T> {
  const server = await startServer(options);
  const clock = fastClock(options.speed ?? 1);
  try {
    return await use(new SvcClient({ baseUrl: server.url, apiKey: KEY, clock, ...options.client }), server);
  } finally {
    await server.close();
  }
}

/** What the promise rejects with. */
export async function failureOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('The call did not fail.');
}
