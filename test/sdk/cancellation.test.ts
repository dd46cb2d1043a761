import { expect } from 'chai';
import { SvcClient, TimeoutError } from '../../src/sdk/index.js';
import { KEY, type Script } from './support/server.js';
import { failureOf, withServer } from './support/setup.js';

const silent: Script = () => true;
/** Enough for the slowest machine, and less than the wait that a test must not have: 20 s for a retry. */
const AT_ONCE_MS = 18_000;

/** The time until the promise rejects in milliseconds, and the reason. */
async function timed(promise: PromiseLike<unknown>): Promise<{ ms: number; error: unknown }> {
  const started = performance.now();
  const error = await failureOf(promise);
  return { ms: performance.now() - started, error };
}

describe('the end of a call', () => {
  it('an abort during the request rejects with its reason', async () => {
    await withServer({ script: silent }, async (svc) => {
      const reason = new Error('no longer needed');
      const { ms, error } = await timed(svc.overview({}, { signal: abortAfter(30, reason) }));
      expect(error).to.equal(reason);
      expect(ms).to.be.below(AT_ONCE_MS);
    });
  });

  it('an abort without a reason rejects with an AbortError, not a TimeoutError', async () => {
    await withServer({ script: silent }, async (svc) => {
      const { error } = await timed(svc.overview({}, { signal: abortAfter(10) }));
      expect(error).to.have.property('name', 'AbortError');
    });
  });

  it('an abort ends the wait for a token', async () => {
    await withServer({}, async (svc, server) => {
      const calls = Array.from({ length: 119 }, () => svc.overview());
      const reason = new Error('stop waiting');
      const { error } = await timed(svc.overview({ brand: 'late' }, { signal: abortAfter(20, reason) }));
      expect(error).to.equal(reason);
      await Promise.all(calls);
      expect(server.paths).not.to.include('/api/v1/overview?brand=late');
    });
  });

  it('an abort ends the wait for a retry', async () => {
    const script: Script = (response) => response.writeHead(503, { 'Retry-After': '20' }).end('{}');
    await withServer({ script }, async (svc) => {
      const reason = new Error('stop');
      const { ms, error } = await timed(svc.overview({}, { signal: abortAfter(50, reason) }));
      expect(error).to.equal(reason);
      expect(ms).to.be.below(AT_ONCE_MS);
    });
  });

  it('a signal that is already aborted sends nothing', async () => {
    await withServer({}, async (svc, server) => {
      const reason = new Error('before');
      expect(await failureOf(svc.overview({}, { signal: AbortSignal.abort(reason) }))).to.equal(reason);
      expect(server.paths).to.deep.equal([]);
    });
  });

  it('the timeout limits one request, even if fetch ignores its signal', async () => {
    const deaf = () => new Promise<Response>(() => {});
    for (const client of [{}, { fetch: deaf }]) {
      await withServer({ script: silent, client: { ...client, maxRetries: 0 } }, async (svc) => {
        const { ms, error } = await timed(svc.overview({}, { timeout: 50 }));
        expect(error).to.be.instanceOf(TimeoutError).with.property('message').that.includes('within 0.05 s');
        expect(ms).to.be.within(45, AT_ONCE_MS);
      });
    }
  });

  it('the timeout includes the body', async () => {
    const script: Script = (response) => response.writeHead(200).write('{');
    await withServer({ script, client: { maxRetries: 0, timeout: 50 } }, async (svc) => {
      expect(await failureOf(svc.overview())).to.be.instanceOf(TimeoutError);
    });
  });

  it('the deadline limits the whole call with retries and waits for a token', async () => {
    await withServer({ script: silent, client: { deadline: 150, timeout: 60 } }, async (svc) => {
      const { ms, error } = await timed(svc.overview());
      expect(error).to.be.instanceOf(TimeoutError);
      expect(ms).to.be.below(AT_ONCE_MS);
    });
    await withServer({}, async (svc) => {
      const calls = Array.from({ length: 119 }, () => svc.overview());
      const { error } = await timed(svc.overview({}, { deadline: 100 }));
      expect(error).to.be.instanceOf(TimeoutError).with.property('message').that.includes('deadline');
      await Promise.all(calls);
    });
  });

  it('the deadline of a list applies to all its pages together', async () => {
    const slow: Script = (response, request, index) => {
      setTimeout(() => response.end(JSON.stringify({ answers: [{}], next_cursor: String(index) })), 40);
      return request.url;
    };
    await withServer({ script: slow }, async (svc, server) => {
      const { error } = await timed(svc.answers.list({}, { deadline: 200 }).all({ max: 1000 }));
      expect(error).to.be.instanceOf(TimeoutError);
      expect(server.paths.length).to.be.at.most(5);
    });
  });

  it('an ended call leaves no timer and no listener', async () => {
    let timers = 0;
    const clock = {
      now: () => performance.now(),
      after: (ms: number, callback: () => void) => {
        timers += 1;
        const timer = setTimeout(callback, ms);
        return () => {
          timers -= 1;
          clearTimeout(timer);
        };
      },
    };
    await withServer({ client: { clock, deadline: 60_000 } }, async (svc) => {
      const { signal } = new AbortController();
      let listeners = 0;
      const add = signal.addEventListener.bind(signal);
      const remove = signal.removeEventListener.bind(signal);
      signal.addEventListener = (...args: Parameters<typeof add>) => {
        listeners += 1;
        add(...args);
      };
      signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        listeners -= 1;
        remove(...args);
      };
      await svc.overview({}, { signal });
      expect({ timers, listeners }).to.deep.equal({ timers: 0, listeners: 0 });
    });
  });

  it('an ended call leaves no timer if fetch ignores its signal', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const fetch = () => new Promise<Response>(() => {});
    const svc = new SvcClient({ baseUrl: 'http://svc.example', apiKey: KEY, fetch });
    await failureOf(svc.overview({}, { timeout: 20, maxRetries: 0 }));
    const before = timers();
    await failureOf(svc.overview({}, { signal: abortAfter(20) }));
    await new Promise((resolve) => setImmediate(resolve));
    // Timers of earlier tests may have ended in between.
    expect(timers()).to.be.at.most(before);
  });

  it('an undefined option means the client’s option', async () => {
    const svc = new SvcClient({
      baseUrl: 'http://svc.example',
      apiKey: KEY,
      timeout: 30,
      maxRetries: 0,
      fetch: () => new Promise<Response>(() => {}),
    });
    const { ms } = await timed(svc.overview({}, { timeout: undefined }));
    expect(ms).to.be.below(AT_ONCE_MS);
  });
});

function abortAfter(ms: number, reason?: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
}
