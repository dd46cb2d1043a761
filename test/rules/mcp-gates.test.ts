import { expect } from 'chai';
import { testServer } from '../support/server.js';
import { keyFaults, keyRefusals, keyWith, subsets } from './support/gates.js';
import { brandRecords, NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

/** Every fault of a request, in the order in which the gates check it. */
const faults = ['method', 'origin', 'missing key', 'unknown key', ...keyFaults, 'size'] as const;
type Fault = (typeof faults)[number];

const answers: Record<Fault, [status: number, error: string]> = {
  method: [405, 'Method PUT is not allowed here. Use POST.'],
  origin: [403, 'Origin https://evil.example may not call this endpoint.'],
  ...keyRefusals,
  size: [413, 'Body over 1 MiB — send fewer or smaller messages'],
};

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const LARGE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'ping',
  params: { x: 'x'.repeat(1024 * 1024) },
});

describe('rule: the gates of POST /api/mcp run in the order of the contract', () => {
  const server = ruleServer({
    data: brandRecords,
    rateLimitStore: 'database',
    allowedOrigins: ['https://app.example'],
  });

  const ask = (request: ReadonlySet<Fault>, key: string | null, to = server) =>
    to.request('/api/mcp', key, {
      method: request.has('method') ? 'PUT' : 'POST',
      headers: request.has('origin') ? { Origin: 'https://evil.example' } : {},
      body: request.has('size') ? LARGE : PING,
    });

  async function expectAnswer(request: ReadonlySet<Fault>, response: Response): Promise<void> {
    const name = [...request].join(' + ');
    const fault = faults.find((each) => request.has(each));
    const body = (await response.json()) as { error: string };
    expect(response.headers.get('content-type'), name).to.equal('application/json');
    expect(response.headers.get('x-svc-api-version'), name).to.match(/^\d{4}-\d\d-\d\d$/);
    if (fault === undefined)
      expect([response.status, body], name).to.deep.equal([
        200,
        JSON.parse('{"jsonrpc":"2.0","id":1,"result":{}}'),
      ]);
    else expect([response.status, body.error], name).to.deep.equal(answers[fault]);
  }

  for (const ofKey of subsets(keyFaults)) {
    it(`with a key that is ${ofKey.join(', ') || 'in order'}`, async () => {
      const { key, setTokens, tokens } = await keyWith(server, ofKey);
      for (const requestFaults of subsets<Fault>(['method', 'origin', 'size'])) {
        const request = new Set<Fault>([...requestFaults, ...ofKey]);
        const empty = request.has('empty bucket');
        await setTokens(empty ? 0 : 50);
        const response = await ask(request, key);
        await expectAnswer(request, response);
        const early = faults.slice(0, faults.indexOf('empty bucket')).some((each) => request.has(each));
        const left = empty ? 0 : early ? 50 : 49;
        expect(await tokens(), [...request].join(' + ')).to.equal(left);
        expect(response.headers.get('x-ratelimit-remaining')).to.equal(String(left));
        expect(response.headers.get('x-svc-key-kind')).to.equal(ofKey.includes('kind') ? 'ingest' : 'full');
      }
    });
  }

  for (const fault of ['missing key', 'unknown key'] as const) {
    it(`with a ${fault}: no bucket, no rate headers`, async () => {
      for (const requestFaults of subsets<Fault>(['method', 'origin', 'size'])) {
        const request = new Set<Fault>([...requestFaults, fault]);
        const response = await ask(request, fault === 'missing key' ? null : 'svc_nobody');
        await expectAnswer(request, response);
        expect(response.headers.has('x-ratelimit-remaining')).to.equal(false);
        if (response.status === 401) expect(response.headers.get('www-authenticate')).to.equal('Bearer');
      }
    });
  }

  it('405 names POST for every other method', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const response = await server.request('/api/mcp', null, { method });
      expect([response.status, response.headers.get('allow')], method).to.deep.equal([405, 'POST']);
    }
  });

  it('503 is checked after method and Origin and before the key', async () => {
    const off = await testServer({ now: NOW, operatorKey: null, database: server.database });
    expect((await ask(new Set(['method']), null, off)).status).to.equal(405);
    expect((await ask(new Set(['origin']), null, off)).status).to.equal(403);
    for (const key of [null, 'svc_nobody']) {
      const response = await ask(new Set(), key, off);
      expect([response.status, await response.json()]).to.deep.equal([
        503,
        { error: 'MCP disabled — set API_ACCESS_KEY', code: 'mcp_disabled' },
      ]);
    }
    await off.close();
  });

  it('Origins of this machine and listed ones pass, names that only look alike do not', async () => {
    const { key, setTokens } = await keyWith(server);
    await setTokens(100);
    const status = async (Origin: string) =>
      (await server.request('/api/mcp', key, { method: 'POST', headers: { Origin }, body: PING })).status;
    for (const origin of [
      'https://app.example',
      'http://localhost',
      'http://localhost:3000',
      'https://127.0.0.1:8443',
      'http://[::1]:8080',
    ])
      expect(await status(origin), origin).to.equal(200);
    for (const origin of [
      'null',
      'https://app.example.evil.example',
      'http://app.example',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'file://localhost',
      'nonsense',
    ])
      expect(await status(origin), origin).to.equal(403);
  });

  it('429 is plain HTTP and no JSON-RPC', async () => {
    const { key, setTokens } = await keyWith(server);
    await setTokens(0);
    const response = await ask(new Set(), key);
    expect(response.status).to.equal(429);
    expect(response.headers.get('retry-after')).to.equal('1');
    expect(await response.json()).to.deep.equal({
      error: answers['empty bucket'][1],
      code: 'rate_limited',
      retry_after_seconds: 1,
    });
  });

  it('a POST costs one token whatever is in it, of the bucket that the reads use', async () => {
    const { key, setTokens, tokens } = await keyWith(server);
    await setTokens(50);
    const batch = `[${Array.from({ length: 10 }, () => PING).join(',')}]`;
    for (const body of [PING, batch, '[]', 'nonsense', '{"jsonrpc":"2.0","method":"x"}'])
      await server.request('/api/mcp', key, { method: 'POST', body });
    await server.request('/api/v1/brands', key);
    expect(await tokens()).to.equal(44);
  });

  it('a read key may call, and a body of 1 MiB is the largest', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const padded = (length: number) => PING + ' '.repeat(length - PING.length);
    const status = async (body: string) =>
      (await server.request('/api/mcp', key, { method: 'POST', body })).status;
    expect(await status(padded(1024 * 1024))).to.equal(200);
    expect(await status(padded(1024 * 1024 + 1))).to.equal(413);
  });
});
