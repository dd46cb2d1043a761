import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createReadCache, encode } from '../../../../src/server/answers/reads/read-cache.js';
import { NEVER_GONE } from '../../../../src/server/base/audience.js';

const HOUR = 3_600_000;
const waiter = { keyId: 'k', gone: NEVER_GONE };

function bodies() {
  let elapsed = 1;
  const cache = createReadCache(() => elapsed);
  return {
    pass: (milliseconds: number) => {
      elapsed += milliseconds;
    },
    get: (key: string, compute: () => Promise<object>) =>
      cache.content(key, waiter, async () => encode(await compute())),
  };
}

describe('the read cache', () => {
  /** Computes a body that contains the number of computations. */
  function counting() {
    let times = 0;
    return async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { times: ++times };
    };
  }

  it('computes concurrent misses once and keeps the result', async () => {
    const cache = bodies();
    const compute = counting();
    const answers = await Promise.all(Array.from({ length: 10 }, () => cache.get('key', compute)));
    answers.push(await cache.get('key', compute));
    expect(new Set(answers.map((answer) => answer.json))).to.deep.equal(new Set(['{"times":1}']));
    expect(new Set(answers.map((answer) => answer.bytes)).size).to.equal(1);
  });

  it('keeps a result for an hour and no longer', async () => {
    const cache = bodies();
    const compute = counting();
    await cache.get('key', compute);
    cache.pass(HOUR);
    expect((await cache.get('key', compute)).json).to.equal('{"times":1}');
    cache.pass(1);
    expect((await cache.get('key', compute)).json).to.equal('{"times":2}');
  });

  it('keeps the results of different keys separate', async () => {
    const cache = bodies();
    const compute = counting();
    expect((await cache.get('a', compute)).json).to.not.equal((await cache.get('b', compute)).json);
  });

  it('has a strong validator that depends on the bytes', async () => {
    const cache = bodies();
    const [one, same, other] = await Promise.all([
      cache.get('1', async () => ({ x: 'ü' })),
      cache.get('2', async () => ({ x: 'ü' })),
      cache.get('3', async () => ({ x: 'u' })),
    ]);
    expect(one!.etag).to.match(/^"[\w-]+"$/);
    expect(one!.etag).to.equal(same!.etag);
    expect(one!.etag).to.not.equal(other!.etag);
    expect(one!.bytes.toString()).to.equal(one!.json);
    expect(one!.etag.slice(1, -1)).to.equal(
      createHash('sha256').update(one!.bytes).digest('base64url').slice(0, 27),
    );
  });

  it('rejects all waiting callers after a failure, and does not keep it', async () => {
    const cache = bodies();
    const fail = async (): Promise<object> => {
      throw new Error('no');
    };
    const results = await Promise.allSettled([cache.get('key', fail), cache.get('key', fail)]);
    expect(results.map((result) => result.status)).to.deep.equal(['rejected', 'rejected']);
    expect((await cache.get('key', async () => ({ ok: true }))).json).to.equal('{"ok":true}');
  });
});
