import { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { API_VERSION } from '../../src/contract/versions.js';
import { OPERATOR_KEY, testServer } from '../support/server.js';
import { plainReads } from './support/reads.js';
import { NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { send } from './support/wire.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

describe('rule: every response states the API version and a request id', () => {
  const server = ruleServer();

  it('under /api/v1 and /api/mcp the version, errors included', async () => {
    const off = await testServer({ now: NOW, operatorKey: null, database: server.database });
    const paths = [
      '/api/v1',
      '/api/v1/',
      '/api/v1/brands',
      '/api/v1/nonsense',
      '/api/v1/a/b',
      '/api/mcp',
      '/api/mcp/x',
    ];
    for (const url of [server.url, off.url]) {
      for (const path of paths) {
        for (const method of METHODS) {
          const { headers } = await send(url, path, { method });
          expect(headers['x-svc-api-version'], `${method} ${path}`).to.equal(API_VERSION);
        }
      }
    }
    await off.close();
    expect(API_VERSION).to.match(/^\d{4}-\d\d-\d\d$/);
  });

  it('in answers and refusals of a read too', async () => {
    for (const query of ['', '?brand=nobody', '?limit=0']) {
      const reply = await server.request(`/api/v1/prompts${query}`);
      expect(reply.headers.get('X-SVC-API-Version'), query).to.equal(API_VERSION);
    }
  });

  it('outside the two surfaces no version is stated', async () => {
    for (const path of ['/livez', '/nowhere', '/api', '/api/v2', '/api/v1x', '/api/mcpx']) {
      expect((await server.request(path)).headers.has('X-SVC-API-Version'), path).to.equal(false);
    }
  });

  it('each response has a request id of its own, whatever the caller sent', async () => {
    const paths = ['/livez', '/nowhere', '/api/v1/brands', '/api/v1/nonsense', '/api/mcp'];
    const seen = new Set<string | null>();
    for (const path of [...paths, ...paths]) {
      const reply = await server.request(path, null, { headers: { 'X-Request-Id': 'forged' } });
      seen.add(reply.headers.get('X-Request-Id'));
    }
    expect(seen.size).to.equal(2 * paths.length);
    expect([...seen].every((id) => /^[0-9a-f-]{36}$/.test(id ?? ''))).to.equal(true);
  });

  it('every read is JSON that a client may cache if it revalidates', async () => {
    for (const name of plainReads) {
      const { headers } = await server.request(`/api/v1/${name}?brand=first`);
      expect(headers.get('Content-Type'), name).to.equal('application/json');
      expect(headers.get('Cache-Control'), name).to.equal('private, no-cache');
    }
  });

  /** The headers that are set one by one while `requests` runs, instead of being written at once with all others. */
  async function setAlone(requests: () => Promise<void>): Promise<string[]> {
    const alone: string[] = [];
    const { setHeader } = ServerResponse.prototype;
    ServerResponse.prototype.setHeader = function (name, value) {
      alone.push(name);
      return setHeader.call(this, name, value) as never;
    };
    try {
      await requests();
    } finally {
      ServerResponse.prototype.setHeader = setHeader;
    }
    return alone;
  }

  it('the headers of a read are written at once, for a browser of another Origin too', async () => {
    const origin = 'https://app.example.com';
    const open = await testServer({ now: NOW, allowedOrigins: [origin], database: server.database });
    const alone = await setAlone(async () => {
      for (const Accept of ['application/json', 'text/csv']) {
        const { headers } = await send(open.url, '/api/v1/prompts?brand=first', {
          headers: { Authorization: `Bearer ${OPERATOR_KEY}`, Origin: origin, Accept },
        });
        expect(headers.vary, Accept).to.equal('Origin, Accept');
        expect(headers['access-control-allow-origin'], Accept).to.equal(origin);
      }
    });
    await open.close();
    expect(alone).to.deep.equal([]);
  });

  it('the headers of a tool call are written at once too', async () => {
    const alone = await setAlone(async () => {
      const params = { name: 'list_prompts', arguments: { brand_id: 'first' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const reply = await server.request('/api/mcp', OPERATOR_KEY, { method: 'POST', body });
      expect(reply.headers.get('Cache-Control')).to.equal('no-store');
      expect(await reply.json()).to.have.property('result');
    });
    expect(alone).to.deep.equal([]);
  });

  it('every error is JSON and carries no validator', async () => {
    for (const path of [
      '/api/v1/overview?brand=nobody',
      '/api/v1/nonsense',
      '/nowhere',
      '/api/v1/prompts?limit=x',
    ]) {
      const { headers } = await server.request(path);
      expect(headers.get('Content-Type'), path).to.equal('application/json');
      expect(headers.has('ETag'), path).to.equal(false);
    }
  });
});
