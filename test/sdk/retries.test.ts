import { expect } from 'chai';
import {
  ConnectionError,
  RateLimitError,
  type SvcClientOptions,
  type SvcError,
} from '../../src/sdk/index.js';
import { overviewBody } from './support/rows.js';
import { reply, type Script } from './support/server.js';
import { failureOf, withServer } from './support/setup.js';

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
      await withServer({ script: statuses([status], { 'Retry-After': '1' }) }, async (svc) => {
        const started = performance.now();
        await svc.overview();
        expect(performance.now() - started).to.be.at.least(990);
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
