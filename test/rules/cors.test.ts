import { expect } from 'chai';
import { type TestServer, testServer } from '../support/server.js';
import { NOW, records } from './support/records.js';
import { send } from './support/wire.js';

const LISTED = 'https://app.example.com';
const EXPOSED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Link',
  'X-SVC-API-Version',
  'X-SVC-Key-Kind',
  'X-Request-Id',
];
const preflight = (Origin: string) => ({
  Origin,
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'authorization',
});

describe('rule: browsers may call from listed Origins only', () => {
  let open: TestServer;
  let closed: TestServer;
  before(async () => {
    open = await testServer({ now: NOW, allowedOrigins: [LISTED] });
    await open.load(records);
    closed = await testServer({ now: NOW, database: open.database });
  });
  after(async () => {
    await closed.close();
    await open.close();
  });

  const corsHeaders = (headers: object) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'));

  it('a preflight of a listed Origin is 204 before every gate, on any path of the surfaces', async () => {
    for (const path of [
      '/api/v1/brands',
      '/api/v1/nonsense',
      '/api/v1',
      '/api/v1/crawler-events',
      '/api/mcp',
    ]) {
      const reply = await send(open.url, path, { method: 'OPTIONS', headers: preflight(LISTED) });
      expect([reply.status, reply.body], path).to.deep.equal([204, '']);
      expect(reply.headers['access-control-allow-origin']).to.equal(LISTED);
      expect(reply.headers['access-control-allow-methods']).to.equal('GET, HEAD, POST');
      expect(reply.headers['access-control-allow-headers']).to.equal('authorization');
      expect(reply.headers.vary).to.equal('Origin');
    }
  });

  it('also while the API is off', async () => {
    const off = await testServer({ operatorKey: null, allowedOrigins: [LISTED], database: open.database });
    const reply = await send(off.url, '/api/v1/brands', { method: 'OPTIONS', headers: preflight(LISTED) });
    expect(reply.status).to.equal(204);
    await off.close();
  });

  it('any other OPTIONS is 405 with Allow, on paths that lead nowhere too', async () => {
    for (const path of ['/api/v1/brands', '/api/v1/nonsense', '/api/v1']) {
      for (const [url, headers] of [
        [open.url, {}],
        [open.url, { Origin: LISTED }],
        [open.url, preflight('https://evil.example')],
        [closed.url, preflight(LISTED)],
      ] as const) {
        const reply = await send(url, path, { method: 'OPTIONS', headers });
        expect(reply.status, path).to.equal(405);
        expect(reply.headers.allow).to.equal('GET, HEAD');
      }
    }
  });

  it('answers and refusals to a listed Origin name it and expose the headers of the contract', async () => {
    for (const path of ['/api/v1/brands', '/api/v1/nonsense', '/api/v1/prompts?limit=0']) {
      const { headers } = await open.request(path, undefined, { headers: { Origin: LISTED } });
      expect(headers.get('Access-Control-Allow-Origin'), path).to.equal(LISTED);
      const exposed = headers.get('Access-Control-Expose-Headers')?.split(', ') ?? [];
      expect(exposed).to.have.members(EXPOSED);
      expect(headers.get('Vary')).to.equal(path.endsWith('/brands') ? 'Origin, Accept' : 'Origin');
      expect(headers.has('Access-Control-Allow-Credentials')).to.equal(false);
    }
  });

  it('an Origin is listed only as it is written', async () => {
    for (const Origin of [
      'https://evil.example',
      `${LISTED}.evil.example`,
      'http://app.example.com',
      'null',
      `${LISTED}:444`,
    ]) {
      const reply = await send(open.url, '/api/v1/brands', { headers: { Origin } });
      expect(corsHeaders(reply.headers), Origin).to.deep.equal([]);
      expect(reply.headers.vary).to.equal('Origin');
    }
  });

  it('without a list there is no CORS, and none outside the surfaces', async () => {
    const headers = { Origin: LISTED };
    expect(corsHeaders((await send(closed.url, '/api/v1/brands', { headers })).headers)).to.deep.equal([]);
    for (const path of ['/livez', '/nowhere']) {
      expect(corsHeaders((await send(open.url, path, { headers })).headers), path).to.deep.equal([]);
      const asked = await send(open.url, path, { method: 'OPTIONS', headers: preflight(LISTED) });
      expect(asked.status, path).to.not.equal(204);
    }
  });
});
