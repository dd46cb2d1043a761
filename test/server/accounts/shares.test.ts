import { expect } from 'chai';
import fc from 'fast-check';
import type { Access } from '../../../src/server/accounts/access.js';
import { accessOf, createShares, shareExpiry } from '../../../src/server/accounts/shares.js';
import { RefusedError } from '../../../src/server/base/errors.js';
import { emptyDatabase } from '../../support/database.js';
import { shared } from '../../support/hooks.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const DAY = 86_400_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);

const access = (more: Partial<Access> = {}): Access => ({
  keyId: 'k1',
  kind: 'read',
  workspaceId: 'w',
  workspaceName: 'W',
  plan: 'growth',
  brandIds: null,
  expiresAt: null,
  allow: null,
  ...more,
});

const owner = (byte = 1, more: Partial<Access> = {}) => ({
  access: access(more),
  secretHash: Buffer.alloc(32, byte),
});

const refusalOf = async (work: () => unknown) => {
  try {
    await work();
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal;
    throw error;
  }
  return undefined;
};

describe('shareExpiry', () => {
  it('is later than now, and at most 366 days from now, whatever is given', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.integer({ min: -5, max: 9999 }).map((days) => `${days}d`),
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
        ),
        async (text) => {
          let end: Date | undefined;
          const refusal = await refusalOf(() => {
            end = shareExpiry(text, NOW);
          });
          if (refusal) expect(refusal.status).to.equal(400);
          else expect(end!.getTime() - NOW.getTime()).to.be.within(1, 366 * DAY);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is in 90 days if nothing is given', () => {
    expect(shareExpiry(undefined, NOW)).to.deep.equal(later(90 * DAY));
  });
});

describe('links in the database', () => {
  const database = shared(emptyDatabase);
  const wanted = (expires?: string) => ({ brandId: 'b', slice: { tag: 'a' }, expires });
  const nothing = () => undefined;

  it('finds a link by its token only: neither another case, nor spaces, nor its hash', async () => {
    const shares = createShares(database.knex, () => 1);
    const { id, token } = await shares.make(owner(), wanted(), NOW);
    expect((await shares.find(token, nothing))?.id).to.equal(id);
    expect((await shares.find(token, nothing))?.slice).to.deep.equal({ tag: 'a' });
    const { rows } = await database.knex.raw("select encode(token_hash, 'hex') as hex from shares");
    for (const other of [
      token.toLowerCase(),
      ` ${token}`,
      `${token} `,
      `${token}=`,
      '',
      rows[0].hex,
      '\u0000',
    ])
      expect(await shares.find(other, nothing), other).to.equal(null);
  });

  it('counts a token as looked up once a second, and a malformed one always', async () => {
    const shares = createShares(database.knex, () => 1);
    const { token } = await shares.make(owner(), wanted(), NOW);
    const lookUps = async (text: string) => {
      let count = 0;
      const note = () => {
        count++;
      };
      await shares.find(text, note);
      await shares.find(text, note);
      return count;
    };
    expect(await lookUps(token)).to.equal(1);
    expect(await lookUps('A'.repeat(43))).to.equal(1);
    expect(await lookUps('malformed')).to.equal(2);
  });

  it('ends with its key, and is deleted after its end when another is made', async () => {
    const shares = createShares(database.knex, () => 1);
    const short = await shares.make(owner(2, { expiresAt: later(DAY) }), wanted(), NOW);
    expect(short.expiresAt).to.deep.equal(later(DAY));
    await shares.make(owner(2), wanted('2d'), later(DAY));
    const { rows } = await database.knex.raw('select id from shares where id = ?', [short.id]);
    expect(rows).to.deep.equal([]);
  });

  it('a key has at most 1000 that work', async () => {
    const shares = createShares(database.knex, () => 1);
    const mine = owner(3);
    const { id } = await shares.make(mine, wanted(), NOW);
    await database.knex.raw(
      `insert into shares select 'x' || n, sha256(cast(cast(n as text) as bytea)), secret_hash, key_id, brand_id, slice, created_at, expires_at, null
       from shares, generate_series(1, 999) n where id = ?`,
      [id],
    );
    const refusal = await refusalOf(() => shares.make(mine, wanted(), NOW));
    expect([refusal?.status, refusal?.code]).to.deep.equal([409, 'too_many_shares']);
    await shares.revoke(mine, id, NOW);
    expect((await shares.make(mine, wanted(), NOW)).brandId).to.equal('b');
    expect((await shares.make(owner(4), wanted(), NOW)).brandId).to.equal('b');
  });

  it('is revoked by its key or the operator only, once, and found no more', async () => {
    const shares = createShares(database.knex, () => 1);
    const { id, token } = await shares.make(owner(5), wanted(), NOW);
    await shares.find(token, nothing);
    for (const [who, of] of [
      [owner(6), id],
      [owner(5), 'nobody'],
      [owner(5), '\u0000'],
    ] as const)
      expect((await refusalOf(() => shares.revoke(who, of, NOW)))?.code).to.equal('unknown_share');
    expect((await shares.list(owner(5), NOW)).map((each) => each.id)).to.deep.equal([id]);
    expect(await shares.list(owner(5), later(90 * DAY))).to.deep.equal([]);
    await shares.revoke(owner(5), id, NOW);
    expect(await shares.find(token, nothing)).to.equal(null);
    expect(await shares.list(owner(5), NOW)).to.deep.equal([]);
    expect((await refusalOf(() => shares.revoke(owner(5), id, NOW)))?.status).to.equal(404);
  });
});

describe('accessOf', () => {
  const share = {
    id: 's1',
    brandId: 'b',
    slice: {},
    keyId: 'k1',
    createdAt: NOW,
    expiresAt: later(DAY),
  };
  const at = (key: Access | null, now = NOW, address = '192.0.2.7') => accessOf(share, key, address, now);

  it('is what the key allows, of one brand, to read', () => {
    expect(at(access({ kind: 'full' }))).to.deep.equal({
      ...access(),
      keyId: 'shares:k1/s1',
      brandIds: ['b'],
      shareId: 's1',
    });
  });

  it('is nothing after an end, and where the key may not be used', () => {
    expect(at(null)).to.equal(null);
    expect(at(access(), later(DAY))).to.equal(null);
    expect(at(access(), later(DAY - 1))).to.not.equal(null);
    expect(at(access({ expiresAt: NOW }))).to.equal(null);
    expect(at(access({ brandIds: ['other'] }))).to.equal(null);
    expect(at(access({ kind: 'ingest' }))).to.equal(null);
    expect(at(access({ allow: ['192.0.2.0/24'] }))).to.not.equal(null);
    expect(at(access({ allow: ['198.51.100.0/24'] }))).to.equal(null);
  });
});
