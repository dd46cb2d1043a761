import { expect } from 'chai';
import fc from 'fast-check';
import { resourceNames } from '../../src/contract/registry.js';
import { OPERATOR_KEY } from '../support/server.js';
import { ruleServer } from './support/rule-server.js';
import { bearer, send, sendLine } from './support/wire.js';

const UNKNOWN = JSON.stringify({
  error: `Unknown resource. Valid resources: ${resourceNames.join(', ')}`,
  code: 'unknown_resource',
});

describe('rule: an unknown path is 404 with a message', () => {
  const server = ruleServer({ clock: 'refill' });

  const ask = (path: string, method = 'GET') =>
    send(server.url, path, { method, headers: bearer(OPERATOR_KEY) });

  it('under /api/v1 it is 404 with the resources’ names, for every method, only to a key', async () => {
    for (const path of [
      '/api/v1',
      '/api/v1/',
      '/api/v1/nonsense',
      '/api/v1/Brands',
      '/api/v1/brands/x',
      '/api/v1//brands',
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
        const reply = await ask(path, method);
        expect([reply.status, reply.body], `${method} ${path}`).to.deep.equal([404, UNKNOWN]);
        const nobody = await send(server.url, path, { method });
        expect([nobody.status, nobody.body], path).to.deep.equal([
          401,
          '{"error":"Unauthorized","code":"unauthorized"}',
        ]);
      }
    }
  });

  it('the names are those of the contract, in its order', () => {
    const order =
      'brands overview prompts competitors sources urls url answers answer names shopping shopping-trend fact-check ads sentiment metrics/history crawlers gaps why moves briefing marks effect referrals';
    const served = new Set<string>(resourceNames);
    expect(resourceNames).to.deep.equal(order.split(' ').filter((name) => served.has(name)));
  });

  it('outside the surfaces it is a JSON 404, without a key', async () => {
    for (const path of [
      '/nowhere',
      '/api',
      '/api/',
      '/api/v2/brands',
      '/API/v1/brands',
      '/.well-known/oauth-authorization-server',
      '/favicon.ico',
      '//api/v1/brands',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const reply = await send(server.url, path, { method });
        expect([reply.status, reply.body], `${method} ${path}`).to.deep.equal([
          404,
          '{"error":"Not found","code":"not_found"}',
        ]);
        expect(reply.headers['content-type']).to.equal('application/json');
      }
    }
  });

  it('health checks need no key and accept GET and HEAD only', async () => {
    for (const path of ['/livez', '/readyz']) {
      expect(await (await server.request(path, null)).json()).to.deep.equal({ status: 'ok' });
      const posted = await send(server.url, path, { method: 'POST' });
      expect([posted.status, posted.headers.allow]).to.deep.equal([405, 'GET, HEAD']);
    }
  });

  const malformed = [
    '/api/v1/%',
    '/api/v1/%zz',
    '/api/v1/%00',
    '/api/v1/%ff%fe',
    '/api/v1/brands%2f..%2f',
    '/api/v1/../../etc/passwd',
    '/api/v1/brands?%',
    '/api/v1/brands?=&&==',
    '/api/v1/brands?limit=%',
    '/api/v1/brands?cursor=%ff',
    '/api/v1/brands?__proto__=1&constructor=2',
    '/api/v1/prompts?brand[]=first&brand[0]=first',
    `/api/v1/${'x/'.repeat(3000)}`,
    `/api/v1/brands?${'a=b&'.repeat(2000)}`,
    'http://[',
    'http://localhost:99999999/api/v1/brands',
    'http://a b/api/v1/brands',
    '/\\\\evil.example/',
    '*',
    '?',
    'api/v1/brands',
  ];
  for (const path of malformed) {
    it(`malformed, and no 500: ${path.slice(0, 60)}`, async () => {
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const reply = await sendLine(
          server.url,
          `${method} ${path} HTTP/1.1\r\nAuthorization: Bearer ${OPERATOR_KEY}`,
        );
        expect(reply.status, method).to.be.within(200, 499);
      }
    });
  }

  it('no path and no query ends in a 500', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'brands',
        'prompts',
        'answers',
        '%',
        '%00',
        '%2f',
        '..',
        '?',
        '&',
        '=',
        'limit',
        'cursor',
        'brand',
        '#',
        ';',
        "'",
      ),
      fc.string({ unit: fc.constantFrom(...'abcZ09-._~!$()*+,:@/[]|^`{}"<>\\') }),
    );
    const path = fc.array(piece, { maxLength: 8 }).map((pieces) => `/api/v1/${pieces.join('')}`);
    await fc.assert(
      fc.asyncProperty(path, async (written) => {
        server.now = new Date(server.now.getTime() + 1000);
        const reply = await sendLine(
          server.url,
          `GET ${written} HTTP/1.1\r\nAuthorization: Bearer ${OPERATOR_KEY}`,
        );
        expect(reply.status).to.be.within(200, 499);
      }),
      { numRuns: 150 },
    );
  });
});
