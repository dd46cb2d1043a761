import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  createKey,
  expiry,
  hashSecret,
  InvalidKeyError,
  newSecret,
} from '../../../src/server/accounts/keys.js';
import { shared } from '../../support/hooks.js';
import { testServer } from '../../support/server.js';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('API keys', () => {
  it('consist of svc_ and 43 base62 characters, use every letter, and are distinct', () => {
    const secrets = Array.from({ length: 300 }, newSecret);
    for (const secret of secrets) expect(secret).to.match(/^svc_[0-9A-Za-z]{43}$/);
    expect(new Set(secrets).size).to.equal(300);
    expect(new Set(secrets.join('').replaceAll('svc_', '')).size).to.equal(62);
    expect(43 * Math.log2(62)).to.be.at.least(256);
  });

  it('are stored as a SHA-256 hash', () => {
    expect(hashSecret('svc_x').toString('hex')).to.equal(createHash('sha256').update('svc_x').digest('hex'));
  });

  it('expire at the end of the UTC day if the expiry is a date', () => {
    expect(expiry('2026-11-01').toISOString()).to.equal('2026-11-02T00:00:00.000Z');
    expect(expiry('2028-02-29').toISOString()).to.equal('2028-03-01T00:00:00.000Z');
    const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(days, (time) => {
        const day = time.toISOString().slice(0, 10);
        const until = expiry(day);
        expect(new Date(until.getTime() - 1).toISOString()).to.equal(`${day}T23:59:59.999Z`);
      }),
    );
  });

  it('expire at that instant if the expiry is a time', () => {
    expect(expiry('2026-11-01T10:00:00Z').toISOString()).to.equal('2026-11-01T10:00:00.000Z');
    expect(expiry('2026-11-01T10:00:00.5+02:00').toISOString()).to.equal('2026-11-01T08:00:00.500Z');
    expect(expiry('2026-11-01t10:00:00z').toISOString()).to.equal('2026-11-01T10:00:00.000Z');
  });

  const noExpiry = [
    '',
    'tomorrow',
    '2026-13-01',
    '2026-02-30',
    '2026-11-1',
    '2026-11-01T10:00:00',
    '2026-02-30T10:00:00Z',
    '2026-11-01T25:00:00Z',
    '2026-11-01 10:00Z',
    '2026-11-01Tnoon Z',
    '1700000000',
  ];
  for (const words of noExpiry) {
    it(`refuse the expiry "${words}"`, () => {
      expect(() => expiry(words)).to.throw(
        InvalidKeyError,
        /^Invalid expiry: .*Give a date YYYY-MM-DD or an RFC 3339 time with offset\.$/,
      );
    });
  }

  describe('in a database', () => {
    const server = shared(() => testServer({ now: NOW }));
    before(async () => {
      const brand = (id: string, workspace: string) => ({
        type: 'brand',
        id,
        workspace,
        name: id,
        domain: `${id}.example`,
      });
      const workspaces = ['w', 'other'].map((id) => ({ type: 'workspace', id, name: id, plan: 'trial' }));
      await server.load([...workspaces, brand('b', 'w'), brand('foreign', 'other')]);
    });

    it('store only the hash and the first 12 characters of the secret', async () => {
      const { id, key } = await createKey(
        server.database.knex,
        { workspace: 'w', kind: 'full', name: 'n' },
        NOW,
      );
      const { rows } = await server.database.knex.raw('select * from api_keys where id = ?', [id]);
      expect(rows[0]).to.deep.include({
        workspace_id: 'w',
        kind: 'full',
        name: 'n',
        display: key.slice(0, 12),
      });
      expect(rows[0]).to.deep.include({ brand_ids: null, expires_at: null, allow: null, revoked_at: null });
      expect(Buffer.from(rows[0].secret_hash).equals(hashSecret(key))).to.equal(true);
      expect(JSON.stringify(rows)).to.not.include(key.slice(12));
    });

    const refused: [what: string, fields: object, message: string][] = [
      ['an unknown workspace', { workspace: 'none' }, 'Unknown workspace: none'],
      ['a brand of another workspace', { brands: ['b', 'foreign'] }, 'Unknown brand in workspace w: foreign'],
      ['an unknown brand', { brands: ['none'] }, 'Unknown brand in workspace w: none'],
      ['a bad expiry', { expires: 'soon' }, 'Invalid expiry: soon'],
      ...[
        '10.0.0',
        '10.0.0.0/33',
        '::/129',
        '10.0.0.0/8/8',
        '10.0.0.0/',
        '10.0.0.0/-1',
        'host.example',
        '',
      ].map((range): [string, object, string] => [
        `the range "${range}"`,
        { allow: [range] },
        `Invalid address or CIDR range: ${range}`,
      ]),
    ];
    for (const [what, fields, message] of refused) {
      it(`are refused for ${what}`, async () => {
        const failure = await createKey(
          server.database.knex,
          { workspace: 'w', kind: 'full', ...fields },
          NOW,
        ).catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(InvalidKeyError);
        expect((failure as Error).message).to.match(
          new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`),
        );
      });
    }

    it('accept addresses and ranges of both IP versions', async () => {
      const allow = ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', '::ffff:10.0.0.0/104'];
      const { id } = await createKey(
        server.database.knex,
        { workspace: 'w', kind: 'read', allow, brands: ['b'] },
        NOW,
      );
      const { rows } = await server.database.knex.raw('select allow, brand_ids from api_keys where id = ?', [
        id,
      ]);
      expect(rows).to.deep.equal([{ allow, brand_ids: ['b'] }]);
    });
  });
});
