import { expect } from 'chai';
import type { Brand } from '../../../src/server/accounts/access.js';
import { createDirectory } from '../../../src/server/accounts/directory.js';
import { createKey, revokeKey } from '../../../src/server/accounts/keys.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../../support/server.js';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('the directory', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer({ now: NOW });
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
  after(() => server.close());

  const directory = () => createDirectory(server.database.knex, OPERATOR_KEY);
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
    await new Promise((resolve) => setTimeout(resolve, 1000));
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
