import { expect } from 'chai';
import { batchedRefresh } from '../../../src/server/accounts/directory.js';

const KEPT_MS = 900;

describe('values that are refreshed together', () => {
  /** A cache whose time the test sets, and the names of each look-up. Names that begin with `no` have no value. */
  function subject() {
    const state = { now: 0, lookUps: [] as string[][], version: 1, failure: null as Error | null };
    const cache = batchedRefresh<string>(
      async (names) => {
        state.lookUps.push([...names]);
        const { version, failure } = state;
        await new Promise((resolve) => setImmediate(resolve));
        if (failure) throw failure;
        return new Map(
          names.filter((name) => !name.startsWith('no')).map((name) => [name, `${name}${version}`]),
        );
      },
      KEPT_MS,
      () => state.now,
    );
    return { state, cache };
  }

  it('are looked up in one step when the time is over, if they were used in it', async () => {
    const { state, cache } = subject();
    for (const name of ['a', 'b', 'c', 'nobody']) await cache.get(name);
    state.now = KEPT_MS;
    state.version = 2;
    const again = [cache.get('b'), cache.get('a')];
    expect(await Promise.all(again)).to.deep.equal(['b2', 'a2']);
    expect(state.lookUps.slice(4)).to.deep.equal([['a', 'b', 'c']]);
    state.now = 2 * KEPT_MS;
    await cache.get('a');
    expect(state.lookUps.slice(5)).to.deep.equal([['b', 'a']]);
  });

  it('are returned without a promise while they are cached, also for an unknown name', async () => {
    const { state, cache } = subject();
    await Promise.all(['a', 'nobody', 'a'].map((name) => cache.get(name)));
    state.now = KEPT_MS - 1;
    expect([cache.get('a'), cache.get('nobody')]).to.deep.equal(['a1', null]);
    expect(state.lookUps).to.deep.equal([['a'], ['nobody']]);
  });

  it('are not looked up again while a look-up runs, however long it takes', async () => {
    const { state, cache } = subject();
    await cache.get('a');
    state.now = KEPT_MS;
    const waiting = [cache.get('a')];
    state.now = 2 * KEPT_MS;
    waiting.push(cache.get('a'));
    expect(await Promise.all(waiting)).to.deep.equal(['a1', 'a1']);
    expect(state.lookUps).to.have.lengthOf(2);
  });

  it('are forgotten by name, also while they are looked up', async () => {
    const { state, cache } = subject();
    await Promise.all(['a', 'b'].map((name) => cache.get(name)));
    state.version = 2;
    cache.forget('a');
    expect([await cache.get('a'), cache.get('b')]).to.deep.equal(['a2', 'b1']);
    state.now = KEPT_MS;
    const old = cache.get('a');
    cache.forget('a');
    state.version = 3;
    expect(await cache.get('a')).to.equal('a3');
    await old;
    expect([cache.get('a'), await cache.get('b')]).to.deep.equal(['a3', 'b2']);
  });

  it('are looked up again after a failure, which every waiting request gets', async () => {
    const { state, cache } = subject();
    await Promise.all([cache.get('a'), cache.get('b')]);
    state.now = KEPT_MS;
    state.failure = new Error('no database');
    const waiting = ['a', 'b', 'c'].map((name) => cache.get(name));
    const failures = await Promise.allSettled(waiting);
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
    state.failure = null;
    expect(await cache.get('a')).to.equal('a1');
  });

  it('are forgotten by clear, those of a running look-up too', async () => {
    const { state, cache } = subject();
    const before = cache.get('a');
    state.version = 2;
    cache.clear();
    expect([await before, await cache.get('a')]).to.deep.equal(['a1', 'a2']);
  });
});
