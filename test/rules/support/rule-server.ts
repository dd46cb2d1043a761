/** The server of the tests of one rule, started and closed by hooks of the describe that calls it. */
import { type TestServer, testServer } from '../../support/server.js';
import { NOW, records } from './records.js';

type RuleServerOptions = Parameters<typeof testServer>[0] & {
  /** The records that are imported; if omitted, those of `records.ts`. */
  readonly data?: readonly object[];
  /** `test`: every test has a server and a database of its own; if omitted, all tests of the describe share them. */
  readonly per?: 'test';
  /** Before each test: `refill` moves the clock on by a minute, so every bucket is full; `reset` sets it to NOW. */
  readonly clock?: 'refill' | 'reset';
};

/** A server with data whose clock is at NOW. Its members are available in hooks and tests, after it was started. */
export function ruleServer({ data = records, per, clock, ...options }: RuleServerOptions = {}): TestServer {
  let server: TestServer;
  const start = async () => {
    server = await testServer({ now: NOW, ...options });
    await server.load(data);
  };
  const close = () => server.close();
  if (per === 'test') {
    beforeEach(start);
    afterEach(close);
  } else {
    before(start);
    after(close);
  }
  if (clock !== undefined) {
    beforeEach(() => {
      if (clock === 'reset') server.now = NOW;
      else server.pass(60_000);
    });
  }
  return {
    get url() {
      return server.url;
    },
    get database() {
      return server.database;
    },
    get now() {
      return server.now;
    },
    set now(time) {
      server.now = time;
    },
    pass: (milliseconds) => server.pass(milliseconds),
    load: (lines) => server.load(lines),
    key: (wanted) => server.key(wanted),
    request: (path, key, init) => server.request(path, key, init),
    read: (path, key) => server.read(path, key),
    close: (graceMs) => server.close(graceMs),
  };
}
