import { type FakeServer, KEYS, startFakeServer } from './fake-server.js';
import { type Environment, Home } from './run.js';

/** A server and a configuration folder, created for every test of the suite. */
export interface Session {
  readonly server: FakeServer;
  readonly home: Home;
  /** Address and full key of the server. */
  readonly env: Environment;
}

/** To be called inside `describe`; the values are there while a test runs. */
export function session(): Session {
  const current = {} as { -readonly [K in keyof Session]: Session[K] };
  beforeEach(async () => {
    current.server = await startFakeServer();
    current.home = new Home();
    current.env = { ...current.home.env, SVC_URL: current.server.url, SVC_API_KEY: KEYS.full };
  });
  afterEach(async () => {
    current.home.remove();
    await current.server.close();
  });
  return current;
}
