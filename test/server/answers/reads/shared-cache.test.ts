import { expect } from 'chai';
import { createSharedCache } from '../../../../src/server/answers/reads/shared-cache.js';
import type { Audience } from '../../../../src/server/base/audience.js';
import { ClientGoneError } from '../../../../src/server/base/errors.js';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** A cache whose values are made when the test says so. */
function bench() {
  const cache = createSharedCache<{ made: number }>({ max: 10 }, () => 1);
  const makings: { audience: Audience; end: () => void }[] = [];
  const client = (keyId = 'k') => {
    const leaving = new AbortController();
    const value = cache.make('key', { keyId, gone: leaving.signal }, (audience) => {
      const made = makings.length + 1;
      return new Promise<{ made: number }>((resolve) =>
        makings.push({ audience, end: () => resolve({ made }) }),
      );
    });
    return { leave: () => leaving.abort(), value: value.catch((error: Error) => error) };
  };
  return { cache, makings, client };
}

describe('a shared cache', () => {
  it('makes a value once for all who wait, and knows their keys', async () => {
    const { cache, makings, client } = bench();
    const clients = [client('a'), client('b'), client('a')];
    await nextTick();
    expect(makings).to.have.lengthOf(1);
    expect([...makings[0]!.audience.keys]).to.deep.equal(['a', 'b']);
    makings[0]!.end();
    const values = await Promise.all(clients.map(({ value }) => value));
    expect(values).to.deep.equal(Array(3).fill({ made: 1 }));
    expect(cache.peek('key')).to.equal(values[0]);
  });

  it('goes on while one still waits, and the others are told at once that they have left', async () => {
    const { makings, client } = bench();
    const [gone, waiting] = [client(), client()];
    await nextTick();
    gone!.leave();
    expect(await gone!.value).to.be.instanceOf(ClientGoneError);
    expect(makings[0]!.audience.gone.aborted).to.equal(false);
    makings[0]!.end();
    expect(await waiting!.value).to.deep.equal({ made: 1 });
  });

  it('ends the making when the last one leaves; who comes then begins anew', async () => {
    const { makings, client } = bench();
    const clients = [client(), client()];
    await nextTick();
    for (const { leave } of clients) leave();
    await Promise.all(clients.map(({ value }) => value));
    expect(makings[0]!.audience.gone.aborted).to.equal(true);
    const later = client();
    await nextTick();
    expect(makings).to.have.lengthOf(2);
    makings[1]!.end();
    expect(await later.value).to.deep.equal({ made: 2 });
  });

  it('begins nothing for a client that has left already', async () => {
    const { cache, makings } = bench();
    const gone = AbortSignal.abort();
    const make = async () => ({ made: 0 });
    expect(await cache.make('key', { keyId: 'k', gone }, make).catch((error) => error)).to.be.instanceOf(
      ClientGoneError,
    );
    expect(makings).to.deep.equal([]);
    expect(cache.peek('key')).to.equal(undefined);
  });
});
