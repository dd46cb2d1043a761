import { expect } from 'chai';
import fc from 'fast-check';
import { escapeControls } from '../../src/contract/printable.js';
import { OPERATOR_KEY, testServer } from '../support/server.js';
import { NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { ship } from './support/shipping.js';
import { bearer, send } from './support/wire.js';

/** Control characters of both sets, line separators, direction marks, marks of annotations, and invisible characters. */
const OBEYED = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\p{Cs}]/u;
const EVIL = '\u001b[31mred\u0007\u0085\u009b\u2028\u202e\u200f\r\n\t\u0000x';
const WRITTEN = escapeControls(EVIL);

describe('rule: no error contains characters that a terminal executes', () => {
  const server = ruleServer({ clock: 'refill' });

  const expectClean = (message: string) => {
    expect(message).to.not.match(OBEYED);
    return expect(message);
  };

  it('they are written out, and everything else is left', () => {
    expect(WRITTEN).to.equal(
      '\\u001b[31mred\\u0007\\u0085\\u009b\\u2028\\u202e\\u200f\\u000d\\u000a\\u0009\\u0000x',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(escapeControls(text)).to.not.match(OBEYED);
        expect(OBEYED.test(text) || escapeControls(text) === text).to.equal(true);
      }),
    );
    expect(escapeControls('Müller & Söhne — 東京 👍🏽 "q" \\')).to.equal('Müller & Söhne — 東京 👍🏽 "q" \\');
  });

  const value = encodeURIComponent(EVIL);
  for (const path of [
    `prompts?limit=${value}`,
    `prompts?cursor=${value}`,
    `ads?engine=${value}`,
    `ads?engine=chatgpt,,${value}`,
    `ads?days=${value}`,
    `ads?from=${value}&to=2026-11-01`,
    `metrics/history?metric=${value}`,
    `metrics/history?metric=visibility&competitors=${value}`,
  ]) {
    it(`REST: ${path.replace(value, '…')}`, async () => {
      const reply = await server.request(`/api/v1/${path}`);
      const { error } = (await reply.json()) as { error: string };
      expect(reply.status).to.equal(400);
      expectClean(error).to.include('\\u001b[31m');
    });
  }

  it('crawler logs: Content-Encoding', async () => {
    const reply = await send(server.url, '/api/v1/crawler-events?brand=first', {
      method: 'POST',
      headers: { ...bearer(OPERATOR_KEY), 'Content-Encoding': 'z\u0085\u009b', 'Content-Length': '0' },
    });
    expect(reply.status).to.equal(400);
    const sent = await fetch(`${server.url}/api/v1/crawler-events?brand=first`, {
      method: 'POST',
      headers: { ...bearer(OPERATOR_KEY), 'Content-Encoding': 'z\u0085\u009b' },
      body: 'x',
    });
    expectClean(((await sent.json()) as { error: string }).error).to.include('z\\u0085\\u009b');
    expect((await ship(server, 'x')).status).to.equal(200);
  });

  it('the address of a client that a proxy states', async () => {
    const proxied = await testServer({ now: NOW, database: server.database, trustProxyHops: 1 });
    const key = await proxied.key({ workspace: 'w', kind: 'read', allow: ['10.0.0.0/8'] });
    const reply = await proxied.request('/api/v1/brands', key, { headers: { 'X-Forwarded-For': '\u009b1' } });
    expect(reply.status).to.equal(403);
    expectClean(((await reply.json()) as { error: string }).error).to.include('\\u009b1');
    await proxied.close();
  });

  const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } });
  const messages: [what: string, message: object, headers?: Record<string, string>][] = [
    ['a method', { method: EVIL }],
    ['a tool', call(EVIL, {})],
    ['a brand', call('get_overview', { brand_id: EVIL })],
    ['an argument’s name', call('get_overview', { [EVIL]: 1 })],
    ['a value', call('list_ads', { engine: EVIL })],
    ['a date', call('list_ads', { from: EVIL, to: '2026-11-01' })],
    ['arguments', call('list_ads', EVIL as never)],
    ['the version', { method: 'ping' }, { 'MCP-Protocol-Version': 'v\u009b' }],
  ];
  for (const [what, message, headers] of messages) {
    it(`MCP: ${what}`, async () => {
      const reply = await server.request('/api/mcp', OPERATOR_KEY, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      });
      const { error, result } = (await reply.json()) as {
        error?: { message: string };
        result?: { isError: boolean; content: { text: string }[] };
      };
      if (result) expect(result.isError).to.equal(true);
      const said = error?.message ?? (JSON.parse(result!.content[0]!.text) as { error: string }).error;
      expectClean(said).to.match(/\\u00(?:1b|9b)/);
    });
  }
});
