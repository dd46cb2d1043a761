import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { brandRecords } from '../rules/support/records.js';
import { ruleServer } from '../rules/support/rule-server.js';
import { testServer } from '../support/server.js';

const document = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');

const CLIENT = '203.0.113.7';
const OTHER = '198.51.100.9';

/** What arrives in X-Forwarded-For behind each set-up: `sent` by the client, which has the address `client`. */
const setups: Readonly<Record<string, (sent: string, client: string) => string>> = {
  'nginx (`deploy/nginx.conf`)': (sent, client) => `${sent}, ${client}`,
  'Caddy (`deploy/Caddyfile`)': (_, client) => client,
  'Cloudflare, then nginx or Caddy': (sent, client) => `${sent}, ${client}, 192.0.2.1`,
  'Cloudflare Tunnel': (sent, client) => `${sent}, ${client}`,
  'a load balancer, then nginx': (sent, client) => `${sent}, ${client}, 192.0.2.1`,
};

describe('TRUST_PROXY_HOPS of each documented set-up', () => {
  const market = ruleServer({ data: brandRecords });
  const rows = [...document.matchAll(/^\| ([^|]+) \| (\d+) \| /gm)].map(
    ([, setup, hops]) => [setup!, Number(hops)] as const,
  );

  it('is documented for all of them', () => {
    expect(rows.map(([setup]) => setup)).to.deep.equal(['nothing', ...Object.keys(setups)]);
  });

  it('makes the server see the address of the client, and not what it sends', async () => {
    const key = await market.key({ workspace: 'w', kind: 'read', allow: [CLIENT] });
    for (const [setup, hops] of rows) {
      const server = await testServer({ database: market.database, now: market.now, trustProxyHops: hops });
      const statusOf = async (sent: string, client: string) => {
        const forwarded = setups[setup]?.(sent, client) ?? sent;
        const headers = { 'X-Forwarded-For': forwarded };
        return (await server.request('/api/v1/brands', key, { headers })).status;
      };
      const direct = setups[setup] === undefined;
      expect(await statusOf(OTHER, CLIENT), setup).to.equal(direct ? 403 : 200);
      expect(await statusOf(CLIENT, OTHER), setup).to.equal(403);
      await server.close();
    }
  });
});
