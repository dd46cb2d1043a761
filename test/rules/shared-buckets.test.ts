import { expect } from 'chai';
import { fresh } from '../support/hooks.js';
import { describeOnServer } from '../support/on-server.js';
import { type TestServer, testServer } from '../support/server.js';
import { brandRecords, NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

const REQUESTS = 1000;

describeOnServer('rule: servers that share a database share the buckets', () => {
  const one = ruleServer({ data: brandRecords, rateLimitStore: 'database', per: 'test' });
  const two = fresh(() => testServer({ now: NOW, rateLimitStore: 'database', database: one.database }));

  const statusOf = async (server: TestServer, key: string) => {
    const reply = await server.request('/api/v1/brands', key);
    await reply.arrayBuffer();
    return reply.status;
  };
  const serverOf = (nth: number) => (nth % 2 === 0 ? one : two);

  it('of 1,000 requests at once with one key, the bucket’s 120 are accepted, the others refused, and none is lost', async () => {
    const key = await one.key({ workspace: 'w', kind: 'full' });
    const statuses = Promise.all(Array.from({ length: REQUESTS }, (_, nth) => statusOf(serverOf(nth), key)));
    const health = await Promise.all([one, two].map((server) => server.request('/readyz', null)));
    expect(health.map((reply) => reply.status)).to.deep.equal([200, 200]);
    const accepted = (await statuses).filter((status) => status === 200);
    expect(accepted).to.have.lengthOf(120);
    expect((await statuses).filter((status) => status === 429)).to.have.lengthOf(REQUESTS - 120);
    for (const server of [one, two]) server.now = new Date(NOW.getTime() + 1500);
    expect([await statusOf(one, key), await statusOf(two, key), await statusOf(one, key)]).to.deep.equal([
      200, 200, 200,
    ]);
    expect([await statusOf(one, key), await statusOf(two, key)]).to.deep.equal([429, 429]);
  }).timeout(120_000);
});
