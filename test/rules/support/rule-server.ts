/** The server of the tests of one rule, started and closed by hooks of the describe that calls it. */
import { fresh, shared } from '../../support/hooks.js';
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
  const open = async () => {
    const server = await testServer({ now: NOW, ...options });
    await server.load(data);
    return server;
  };
  const server = per === 'test' ? fresh(open) : shared(open);
  if (clock !== undefined) {
    beforeEach(() => {
      if (clock === 'reset') server.now = NOW;
      else server.pass(60_000);
    });
  }
  return server;
}
