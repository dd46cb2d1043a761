import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { SvcClient } from '../../src/sdk/client.js';
import { errorOfStatus } from '../../src/sdk/errors.js';
import {
  ConnectionError,
  RateLimitError,
  type SvcClientOptions,
  type SvcError,
} from '../../src/sdk/index.js';
import { mayRetry, SDK_VERSION, waitBefore } from '../../src/sdk/transport.js';
import { overviewBody } from './support/rows.js';
import { reply, type Script } from './support/server.js';
import { failureOf, withServer } from './support/setup.js';

const failed = (status: number, retryAfterSeconds: number | null = null) =>
  errorOfStatus(status, '', { retryAfterSeconds });

describe('the rules for retries', () => {
  it('never shorten a stated wait, and extend it by at most a quarter', () => {
    const statuses = fc.constantFrom(429, 503);
    fc.assert(
      fc.property(
        statuses,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (status, after, attempt) => {
          expect(waitBefore(failed(status, after), attempt)).to.be.within(after * 1000, after * 1250);
        },
      ),
    );
  });

  it('vary the waits, so that calls that were refused together do not retry together', () => {
    const waits = new Set(Array.from({ length: 50 }, () => waitBefore(failed(429, 1), 1)));
    expect(waits.size).to.be.above(40);
  });

  it('double the wait from half a second with each failure if none is stated', () => {
    expect(waitBefore(failed(500), 1)).to.be.within(500, 625);
    expect(waitBefore(failed(500), 2)).to.be.within(1000, 1250);
    expect(waitBefore(new ConnectionError(''), 1)).to.be.within(500, 625);
  });

  it('retry a request that must arrive once only after refusals, and log shipping also after failures', () => {
    const allowed = (status: number, resends: number) =>
      [1, 2, 3, 4, 5].filter((attempt) => mayRetry(failed(status), attempt, 4, resends)).length;
    expect([allowed(429, 0), allowed(503, 0), allowed(503, Number.POSITIVE_INFINITY)]).to.deep.equal([
      4, 0, 4,
    ]);
  });

  it('allow maxRetries retries after refusals, and two after failures', () => {
    const allowed = (status: number, maxRetries: number) =>
      [1, 2, 3, 4, 5].filter((attempt) => mayRetry(failed(status), attempt, maxRetries)).length;
    expect([allowed(429, 4), allowed(503, 4), allowed(503, 1), allowed(429, 0)]).to.deep.equal([4, 2, 1, 0]);
  });
});

/** A script that responds with these statuses in turn, with an immediate Retry-After, then like the API. */
const statuses =
  (list: readonly number[], headers: object = { 'Retry-After': '0' }): Script =>
  (response, _, index) =>
    index < list.length && reply(response, list[index]!, { error: 'not now' }, headers);

/** The number of requests of one overview, and whether it succeeds. The clock runs a thousand times as fast. */
function tries(script: Script, client: SvcClientOptions = {}): Promise<{ requests: number; ok: boolean }> {
  return withServer({ script, speed: 1000, client }, async (svc, server) => {
    const ok = await svc.overview().then(
      () => true,
      () => false,
    );
    return { requests: server.requests.length, ok };
  });
}

const repeat = (status: number, times: number) => Array<number>(times).fill(status);

describe('retries', () => {
  for (const status of [408, 500, 502, 503, 504]) {
    it(`${status} is retried at most twice`, async () => {
      expect(await tries(statuses([status, status]))).to.deep.equal({ requests: 3, ok: true });
      expect(await tries(statuses(repeat(status, 3)))).to.deep.equal({ requests: 3, ok: false });
    });
  }

  for (const status of [400, 401, 403, 404, 405, 413, 501]) {
    it(`${status} is not retried`, async () => {
      expect(await tries(statuses([status]))).to.deep.equal({ requests: 1, ok: false });
    });
  }

  it('429 is retried up to maxRetries times, 8 by default', async () => {
    const headers = { 'Retry-After': '1' };
    expect(await tries(statuses(repeat(429, 8), headers))).to.deep.equal({ requests: 9, ok: true });
    expect(await tries(statuses(repeat(429, 9), headers))).to.deep.equal({ requests: 9, ok: false });
    const few = { maxRetries: 1 };
    expect(await tries(statuses(repeat(429, 2), headers), few)).to.deep.equal({ requests: 2, ok: false });
  });

  it('maxRetries 0 turns off all retries', async () => {
    for (const status of [429, 503]) {
      const once = { maxRetries: 0 };
      expect(await tries(statuses([status]), once)).to.deep.equal({ requests: 1, ok: false });
    }
  });

  it('a broken connection is retried', async () => {
    const script: Script = (response, _, index) => index < 2 && response.destroy();
    expect(await tries(script)).to.deep.equal({ requests: 3, ok: true });
  });

  it('a timeout is retried', async () => {
    const script: Script = (_, __, index) => index === 0;
    const { requests, ok } = await tries(script, { timeout: 3000 });
    expect({ requests, ok }).to.deep.equal({ requests: 2, ok: true });
  });

  for (const status of [429, 503]) {
    it(`the Retry-After of a ${status} is obeyed`, async () => {
      const speed = 20;
      await withServer({ script: statuses([status], { 'Retry-After': '1' }), speed }, async (svc) => {
        const started = performance.now();
        await svc.overview();
        expect((performance.now() - started) * speed).to.be.at.least(990);
      });
    });
  }

  it('a Retry-After of more than a minute is not waited for: the call rejects', async () => {
    const script = statuses([429], { 'Retry-After': '3600' });
    expect(await tries(script)).to.deep.equal({ requests: 1, ok: false });
  });

  it('a wait beyond the deadline is not begun: the call rejects at once', async () => {
    const script = statuses(repeat(429, 5), { 'Retry-After': '30' });
    await withServer({ script, client: { deadline: 25_000 } }, async (svc) => {
      const started = performance.now();
      const error = await failureOf(svc.overview());
      expect(error).to.be.instanceOf(RateLimitError).with.property('retryAfterSeconds', 30);
      expect(performance.now() - started).to.be.below(20_000);
    });
  });

  it('a permanent failure of a given fetch is reported with its reason after three attempts', async () => {
    let calls = 0;
    const fetch = async (): Promise<Response> => {
      calls += 1;
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('no route'), { code: 'EHOSTUNREACH' }),
      });
    };
    await withServer({ speed: 1000, client: { fetch } }, async (svc) => {
      const error = (await failureOf(svc.overview())) as ConnectionError;
      expect(error).to.be.instanceOf(ConnectionError);
      expect(error.message).to.match(/no route$/);
      expect(calls).to.equal(3);
    });
  });

  it('onRetry of the client or of a call gets each failure and the wait', async () => {
    const waits: (readonly [number | null, number])[] = [];
    const onRetry = (error: SvcError, wait: number) => waits.push([error.status, wait]);
    const script: Script = (response, _, index) =>
      index < 2 && reply(response, index === 0 ? 503 : 429, {}, { 'Retry-After': '1' });
    await withServer({ script, speed: 1000, client: { onRetry } }, async (svc) => {
      await svc.overview();
      await svc.overview({}, { onRetry: () => expect.fail('nothing failed') });
    });
    expect(waits.map(([status]) => status)).to.deep.equal([503, 429]);
    for (const [, wait] of waits) expect(wait).to.be.within(1000, 1250);
  });

  it('onRetry gets the longer wait of the bucket if the key is refused repeatedly', async () => {
    const waits: number[] = [];
    const client = { onRetry: (_: SvcError, wait: number) => waits.push(wait) };
    const script = statuses(repeat(429, 3), { 'Retry-After': '2' });
    await withServer({ script, speed: 1000, client }, (svc) => svc.overview());
    expect(waits.map((wait, at) => wait >= 2000 * 2 ** at)).to.deep.equal([true, true, true]);
  });

  it('a call that succeeds after failures returns only the data', async () => {
    await withServer({ script: statuses([503]) }, async (svc) => {
      expect(await svc.overview()).to.include({ visibility: overviewBody.visibility });
    });
  });
});

describe('the User-Agent of the SDK', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(SDK_VERSION).to.equal(version);
  });

  /** The headers of a read and of a tool call. */
  async function sent(): Promise<(string | null)[]> {
    const headers: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      headers.push((input as Request).headers.get('User-Agent'));
      return new Response('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
    };
    const svc = new SvcClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'svc_x', fetch });
    await svc.overview();
    await svc.tools.list();
    return headers;
  }

  it('is sent with every request', async () => {
    expect(await sent()).to.deep.equal(Array(2).fill(`answer-visibility-sdk/${SDK_VERSION}`));
  });

  it('is left to browsers, which have a document', async () => {
    Object.defineProperty(globalThis, 'document', { value: {}, configurable: true });
    try {
      expect(await sent()).to.deep.equal([null, null]);
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  });
});
