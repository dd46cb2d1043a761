import { expect } from 'chai';
import { testServer } from '../support/server.js';
import { brandRecords, NOW, records } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

const SECOND = 1000;

for (const rateLimitStore of ['memory', 'database'] as const) {
  describe(`rule: 120 requests at once, then two a second (${rateLimitStore})`, () => {
    const server = ruleServer({ data: brandRecords, rateLimitStore, clock: 'reset' });
    let key: string;
    beforeEach(async () => {
      key = await server.key({ workspace: 'w', kind: 'full' });
    });

    const ask = () => server.request('/api/v1/brands', key);
    const pass = (milliseconds: number) => {
      server.now = new Date(server.now.getTime() + milliseconds);
    };
    async function spend(times: number): Promise<void> {
      const replies = await Promise.all(Array.from({ length: times }, ask));
      await Promise.all(replies.map((reply) => reply.arrayBuffer()));
      expect(replies.filter((reply) => reply.status !== 200)).to.deep.equal([]);
    }

    it('accepts 120 at once and refuses the next with the message of the contract', async () => {
      await spend(120);
      const refused = await ask();
      expect(refused.status).to.equal(429);
      expect(refused.headers.get('Retry-After')).to.equal('1');
      expect(refused.headers.get('Content-Type')).to.equal('application/json');
      expect(await refused.text()).to.equal(
        '{"error":"Rate limit exceeded: 120 requests per minute per API key. Retry after 1s.","code":"rate_limited","retry_after_seconds":1}',
      );
    });

    it('states limit, whole tokens left and when the bucket is full again', async () => {
      const first = await ask();
      expect(rateHeaders(first)).to.deep.equal(['120', '119', String(NOW.getTime() / SECOND + 1)]);
      await spend(2);
      const fourth = await ask();
      expect(rateHeaders(fourth)).to.deep.equal(['120', '116', String(NOW.getTime() / SECOND + 2)]);
    });

    it('rounds the reset up to a whole second', async () => {
      pass(100);
      const reply = await ask();
      expect(rateHeaders(reply)[2]).to.equal(String(NOW.getTime() / SECOND + 1));
    });

    it('refills continuously: half a second is one request', async () => {
      await spend(120);
      pass(499);
      expect((await ask()).status).to.equal(429);
      pass(1);
      expect((await ask()).status).to.equal(200);
      expect((await ask()).status).to.equal(429);
      pass(1500);
      await spend(3);
      expect((await ask()).status).to.equal(429);
    });

    it('a refusal takes nothing', async () => {
      await spend(120);
      for (let i = 0; i < 5; i++) expect((await ask()).status).to.equal(429);
      pass(500);
      expect((await ask()).status).to.equal(200);
    });

    it('never holds more than 120', async () => {
      await spend(1);
      pass(3_600_000);
      await spend(120);
      expect((await ask()).status).to.equal(429);
    });

    it('a refused request runs no query of a read and changes no body', async () => {
      await spend(120);
      const refused = await server.request('/api/v1/overview', key);
      expect(refused.status).to.equal(429);
      expect(refused.headers.has('ETag')).to.equal(false);
    });

    it('two keys of one workspace have a bucket each; the operator has one too', async () => {
      const another = await server.key({ workspace: 'w', kind: 'read' });
      await spend(120);
      expect((await ask()).status).to.equal(429);
      const other = await server.request('/api/v1/brands', another);
      expect(rateHeaders(other).slice(0, 2)).to.deep.equal(['120', '119']);
      const operator = await server.request('/api/v1/brands');
      expect(rateHeaders(operator)[0]).to.equal('120');
      const again = await server.request('/api/v1/brands');
      expect(Number(rateHeaders(again)[1])).to.equal(Number(rateHeaders(operator)[1]) - 1);
    });
  });
}

describe('rule: servers that share a database share the buckets', () => {
  it('a token taken on one server is missing on the other', async () => {
    const one = await testServer({ now: NOW, rateLimitStore: 'database' });
    await one.load(records);
    const two = await testServer({ now: NOW, rateLimitStore: 'database', database: one.database });
    const key = await one.key({ workspace: 'w', kind: 'full' });
    const servers = [one, two];
    const replies = await Promise.all(
      Array.from({ length: 130 }, (_, i) => servers[i % 2]!.request('/api/v1/brands', key)),
    );
    expect(replies.filter((reply) => reply.status === 200)).to.have.lengthOf(120);
    expect(replies.filter((reply) => reply.status === 429)).to.have.lengthOf(10);
    await two.close();
    await one.close();
  });
});

const rateHeaders = ({ headers }: Response) =>
  ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`));
