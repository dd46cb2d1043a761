import { expect } from 'chai';
import type { Brand } from '../../../src/server/accounts/access.js';
import { batchedRefresh, createDirectory } from '../../../src/server/accounts/directory.js';
import { createKey, revokeKey } from '../../../src/server/accounts/keys.js';
import { shared } from '../../support/hooks.js';
import { OPERATOR_KEY, testServer } from '../../support/server.js';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('the directory', () => {
  const server = shared(() => testServer({ now: NOW }));
  before(async () => {
    const brand = (id: string) => ({
      type: 'brand',
      id,
      workspace: 'w',
      name: id,
      domain: `${id}.example`,
      created_at: '2026-01-01T00:00:00Z',
    });
    await server.load([{ type: 'workspace', id: 'w', name: 'w', plan: 'starter' }, brand('a'), brand('b')]);
  });

  let elapsed = 1;
  const directory = () => createDirectory(server.database.knex, OPERATOR_KEY, () => elapsed);
  const newKey = (fields: object = {}) =>
    createKey(server.database.knex, { workspace: 'w', kind: 'full', ...fields }, NOW);

  async function countStatements<T>(work: () => Promise<T> | T): Promise<[T, number]> {
    let count = 0;
    const listen = () => {
      count++;
    };
    server.database.knex.on('query', listen);
    const result = await work();
    server.database.knex.removeListener('query', listen);
    return [result, count];
  }

  it('returns the access of a stored key with all its restrictions', async () => {
    const { id, key } = await newKey({
      kind: 'read',
      brands: ['b'],
      expires: '2026-12-01',
      allow: ['10.0.0.0/8'],
    });
    expect(await directory().identify(key)).to.deep.equal({
      keyId: id,
      kind: 'read',
      workspaceId: 'w',
      workspaceName: 'w',
      plan: 'starter',
      brandIds: ['b'],
      expiresAt: new Date('2026-12-02T00:00:00Z'),
      allow: ['10.0.0.0/8'],
    });
  });

  it('recognises the operator key without a query, and no other unknown key', async () => {
    const [access, statements] = await countStatements(() => directory().identify(OPERATOR_KEY));
    expect(access).to.deep.include({
      keyId: 'operator',
      kind: 'operator',
      workspaceId: null,
      plan: null,
      brandIds: null,
    });
    expect(statements).to.equal(0);
    for (const secret of ['svc_nobody', `${OPERATOR_KEY} `, OPERATOR_KEY.toUpperCase(), '']) {
      expect(await directory().identify(secret), secret).to.equal(null);
    }
  });

  it('sends one query for concurrent requests, and none within the next second', async () => {
    const { key } = await newKey();
    const each = directory();
    const [, statements] = await countStatements(async () => {
      await Promise.all(Array.from({ length: 20 }, () => each.identify(key)));
      return each.identify(key);
    });
    expect(statements).to.equal(1);
  });

  it('sends one query a second for all keys in use', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => newKey()));
    const each = directory();
    const identified = () => Promise.all(keys.map(async ({ key }) => (await each.identify(key))?.keyId));
    await identified();
    elapsed += 1000;
    expect(await countStatements(identified)).to.deep.equal([keys.map(({ id }) => id), 1]);
  });

  it('caches a key until the cache is cleared', async () => {
    const each = directory();
    const { id, key } = await newKey();
    const second = await newKey();
    await each.identify(second.key);
    expect(await each.identify(key)).to.not.equal(null);
    await revokeKey(server.database.knex, { id, now: NOW });
    await revokeKey(server.database.knex, { id: second.id, now: NOW });
    expect(await each.identify(key)).to.not.equal(null);
    each.forget();
    expect(await each.identify(key)).to.equal(null);
    expect(await each.identify(second.key)).to.equal(null);
  });

  it('looks up a brand once for all keys that see the same brands', async () => {
    const each = directory();
    const [first, second] = await Promise.all([newKey(), newKey()]);
    const some = (await each.identify((await newKey({ brands: ['a'] })).key))!;
    const [one, other] = [(await each.identify(first.key))!, (await each.identify(second.key))!];
    const brand = await each.brand(one, 'a');
    expect(await countStatements(() => each.brand(other, 'a'))).to.deep.equal([brand, 0]);
    expect((await countStatements(() => each.brand(some, 'a')))[1]).to.be.greaterThan(0);
  });

  it('caches brands separately for keys that see others', async () => {
    const each = directory();
    const all = (await each.identify((await newKey()).key))!;
    const some = (await each.identify((await newKey({ brands: ['b'] })).key))!;
    expect(((await each.brand(all, undefined)) as Brand).id).to.equal('a');
    expect(((await each.brand(some, undefined)) as Brand).id).to.equal('b');
    expect(((await each.brand(all, 'a')) as Brand).id).to.equal('a');
    for (const id of ['a', 'none', '', 'b\n', '\u0000', 'b\u0000', '\ud800', 'b'.repeat(5000)]) {
      expect(await each.brand(some, id), JSON.stringify(id.slice(0, 9))).to.equal('unknown');
    }
  });

  it('throws the error of a failed look-up and does not cache it', async () => {
    const { key } = await newKey();
    const each = directory();
    await server.database.knex.raw('alter table api_keys rename to api_keys_away');
    const failure = await Promise.resolve(each.identify(key)).catch((error: unknown) => error);
    await server.database.knex.raw('alter table api_keys_away rename to api_keys');
    expect(failure).to.be.instanceOf(Error);
    expect(await each.identify(key)).to.deep.include({ kind: 'full' });
  });
});

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

  it('are looked up once while they are cached, also for an unknown name', async () => {
    const { state, cache } = subject();
    await Promise.all(['a', 'nobody', 'a'].map((name) => cache.get(name)));
    state.now = KEPT_MS - 1;
    expect([await cache.get('a'), await cache.get('nobody')]).to.deep.equal(['a1', null]);
    expect(state.lookUps).to.deep.equal([['a', 'nobody']]);
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

  it('a thousand unknown names take one look-up at a time, those that arrive during one the next', async () => {
    const { state, cache } = subject();
    const first = cache.get('no first');
    while (state.lookUps.length === 0) await Promise.resolve();
    const guesses = Array.from({ length: 1000 }, (_, at) => `no ${at}`);
    const all = guesses.map((name) => cache.get(name));
    expect(await first).to.equal(null);
    expect(new Set(await Promise.all(all))).to.deep.equal(new Set([null]));
    expect(state.lookUps).to.deep.equal([['no first'], guesses]);
  });

  it('are forgotten by name, also while they are looked up', async () => {
    const { state, cache } = subject();
    await Promise.all(['a', 'b'].map((name) => cache.get(name)));
    state.version = 2;
    cache.forget('a');
    expect([await cache.get('a'), await cache.get('b')]).to.deep.equal(['a2', 'b1']);
    state.now = KEPT_MS;
    const old = cache.get('a');
    cache.forget('a');
    state.version = 3;
    expect(await cache.get('a')).to.equal('a3');
    await old;
    expect([await cache.get('a'), await cache.get('b')]).to.deep.equal(['a3', 'b2']);
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
    while (state.lookUps.length === 0) await Promise.resolve();
    state.version = 2;
    cache.clear();
    expect([await before, await cache.get('a')]).to.deep.equal(['a1', 'a2']);
  });
});
