import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { brandRecords } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { lastEventAt, line, refused, ship, shipped } from './support/shipping.js';

const ZEROS = { inserted: 0, matched: 0, totalLines: 0, unparsed: 0 };
const CODE = 'abcDEF_-0123456789';

describe('rule: the test request of a log platform is answered 200 with zeros', () => {
  const server = ruleServer({ data: brandRecords, clock: 'refill' });

  const markers: [
    what: string,
    how: { query?: string; headers?: Record<string, string> },
    code: string | null,
  ][] = [
    ['header x-vercel-verify', { headers: { 'x-vercel-verify': CODE } }, CODE],
    ['query vercel_verify', { query: `&vercel_verify=${CODE}` }, CODE],
    [
      'both, of which the header counts',
      { query: '&vercel_verify=fromquery', headers: { 'x-vercel-verify': CODE } },
      CODE,
    ],
    ['header x-vercel-signature', { headers: { 'x-vercel-signature': 'f00d' } }, null],
  ];
  for (const [what, how, code] of markers) {
    for (const body of [undefined, '', ' \n', '{}', '[]', '{ }\n', gzipSync('{}')]) {
      it(`${what} and ${body instanceof Uint8Array ? 'gzip of {}' : JSON.stringify(body)}`, async () => {
        const reply = await ship(server, body, how);
        expect([reply.status, await reply.json()]).to.deep.equal([200, ZEROS]);
        expect(reply.headers.get('x-vercel-verify')).to.equal(code);
        expect(await lastEventAt(server)).to.equal(null);
      });
    }
  }

  for (const body of ['{"content":"tests"}', '{"content":"test"}', 'test', 'tests', ' tests\n']) {
    it(`Logpush and others: ${JSON.stringify(body)}, gzipped or not`, async () => {
      expect(await shipped(server, body)).to.deep.equal(ZEROS);
      expect(
        await shipped(server, gzipSync(body), { headers: { 'Content-Encoding': 'gzip' } }),
      ).to.deep.equal(ZEROS);
      expect(await lastEventAt(server)).to.equal(null);
    });
  }

  it('without a marker {} is a body like any other, and nothing is empty', async () => {
    expect(await shipped(server, '{}')).to.deep.equal(ZEROS);
    expect(await refused(server, '')).to.deep.equal([400, { error: 'Empty body', code: 'empty_body' }]);
  });

  it('the code is returned with logs too, and never with a refusal', async () => {
    const taken = await ship(server, line(), { query: `&vercel_verify=${CODE}` });
    expect([taken.status, taken.headers.get('x-vercel-verify')]).to.deep.equal([200, CODE]);
    const no = await ship(server, line(), { brand: 'nobody', query: `&vercel_verify=${CODE}` });
    expect([no.status, no.headers.get('x-vercel-verify')]).to.deep.equal([404, null]);
  });

  it('an invalid code is not echoed', async () => {
    for (const code of ['short', 'a'.repeat(129), 'with%20space-in-it', 'break%0d%0aX-Y:1234']) {
      const reply = await ship(server, '{}', { query: `&vercel_verify=${code}` });
      expect([reply.status, reply.headers.get('x-vercel-verify')]).to.deep.equal([200, null]);
      expect(reply.headers.has('X-Y')).to.equal(false);
    }
  });

  it('needs a key like any other request, and takes a token', async () => {
    const reply = await ship(server, '{}', { key: null, headers: { 'x-vercel-verify': CODE } });
    expect(reply.status).to.equal(401);
  });
});
