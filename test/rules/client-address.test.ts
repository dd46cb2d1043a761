import { expect } from 'chai';
import { type TestServer, testServer } from '../support/server.js';
import { NOW, records } from './support/records.js';

describe('rule: an allowlist applies to the address that the trusted proxies state', () => {
  const servers: TestServer[] = [];
  before(async () => {
    const direct = await testServer({ now: NOW });
    await direct.load(records);
    servers.push(direct);
    for (const trustProxyHops of [1, 2]) {
      servers.push(await testServer({ now: NOW, trustProxyHops, database: direct.database }));
    }
  });
  after(async () => {
    for (const server of servers.reverse()) await server.close();
  });

  /** The status of a request with this X-Forwarded-For, behind this number of trusted proxies. */
  async function status(hops: number, allow: string[], forwarded?: string): Promise<number> {
    const server = servers[hops]!;
    const key = await server.key({ workspace: 'w', kind: 'full', allow });
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
    const reply = await server.request('/api/v1/brands', key, { headers });
    await reply.arrayBuffer();
    return reply.status;
  }

  it('without proxies it is the socket’s address, in any way of writing it', async () => {
    for (const range of ['127.0.0.1', '127.0.0.0/8', '0.0.0.0/0', '::ffff:127.0.0.1', '::ffff:127.0.0.0/104'])
      expect(await status(0, [range]), range).to.equal(200);
    for (const range of ['127.0.0.2', '10.0.0.0/8', '::1', '2001:db8::/32'])
      expect(await status(0, [range]), range).to.equal(403);
    expect(await status(0, ['10.0.0.1', '2001:db8::/32', '127.0.0.1'])).to.equal(200);
  });

  it('without proxies a forged X-Forwarded-For changes nothing', async () => {
    expect(await status(0, ['203.0.113.7'], '203.0.113.7')).to.equal(403);
    expect(await status(0, ['127.0.0.1'], '203.0.113.7')).to.equal(200);
    expect(await status(0, ['127.0.0.1'], '203.0.113.7, 127.0.0.1')).to.equal(200);
  });

  it('behind one proxy only the last address counts: what the caller wrote before it is forged', async () => {
    expect(await status(1, ['203.0.113.7'], '203.0.113.7')).to.equal(200);
    expect(await status(1, ['203.0.113.7'], '203.0.113.7, 198.51.100.1')).to.equal(403);
    expect(await status(1, ['198.51.100.1'], '203.0.113.7, 198.51.100.1')).to.equal(200);
    expect(await status(1, ['198.51.100.1'], 'nonsense, 203.0.113.7,198.51.100.1')).to.equal(200);
    expect(await status(1, ['127.0.0.1'])).to.equal(200);
  });

  it('behind two proxies it is the one before the last', async () => {
    expect(await status(2, ['203.0.113.7'], '203.0.113.7, 198.51.100.1')).to.equal(200);
    expect(await status(2, ['203.0.113.7'], '203.0.113.7, 203.0.113.8, 198.51.100.1')).to.equal(403);
    expect(await status(2, ['203.0.113.8'], '203.0.113.7, 203.0.113.8, 198.51.100.1')).to.equal(200);
    expect(await status(2, ['198.51.100.1'], '203.0.113.8, 198.51.100.1')).to.equal(403);
  });

  it('forwarded addresses may be v6, v4-mapped or carry a port', async () => {
    expect(await status(1, ['2001:db8::/32'], '2001:db8::1')).to.equal(200);
    expect(await status(1, ['2001:db8::/32'], '[2001:db8::1]:4711')).to.equal(200);
    expect(await status(1, ['203.0.113.0/24'], '::ffff:203.0.113.9')).to.equal(200);
    expect(await status(1, ['203.0.113.0/24'], '203.0.113.9:4711')).to.equal(200);
    expect(await status(1, ['0.0.0.0/0', '::/0'], 'unknown')).to.equal(403);
  });

  it('the refusal names the address, as v4 where it is v4-mapped', async () => {
    const server = servers[1]!;
    const key = await server.key({ workspace: 'w', kind: 'full', allow: ['203.0.113.7'] });
    const headers = { 'X-Forwarded-For': '::ffff:198.51.100.1' };
    const reply = await server.request('/api/v1/brands', key, { headers });
    expect(reply.status).to.equal(403);
    expect(await reply.json()).to.deep.equal({
      error: 'This API key may not be used from 198.51.100.1.',
      code: 'address_not_allowed',
    });
  });
});
