import { SvcClient, type SvcClientOptions } from '../../../src/sdk/index.js';
import { fastClock } from './clocks.js';
import { KEY, type ServerOptions, startServer, type TestServer } from './server.js';

/** Real time that a request has unless the test says otherwise. */
const REQUEST_MS = 60_000;

/** Runs `use` with a server of its own and a client of it whose time, like the bucket's, runs `speed` times as fast. */
export async function withServer<T>(
  options: ServerOptions & { client?: SvcClientOptions },
  use: (svc: SvcClient, server: TestServer) => Promise<T>,
): Promise<T> {
  const server = await startServer(options);
  const speed = options.speed ?? 1;
  // What the machine takes counts `speed` times, and must not pass for a server that is late.
  const own = { baseUrl: server.url, apiKey: KEY, clock: fastClock(speed), timeout: REQUEST_MS * speed };
  try {
    return await use(new SvcClient({ ...own, ...options.client }), server);
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
