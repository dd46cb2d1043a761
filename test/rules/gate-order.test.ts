import { expect } from 'chai';
import { resourceNames } from '../../src/contract/registry.js';
import { testServer } from '../support/server.js';
import { keyFaults, keyRefusals, keyWith, subsets } from './support/gates.js';
import { NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { bearer, send } from './support/wire.js';

/** Every fault of a request, in the order in which the gates check it. */
const faults = [
  'method',
  'missing key',
  'unknown key',
  ...keyFaults,
  'resource',
  'brand',
  'parameter',
] as const;
type Fault = (typeof faults)[number];
type Request = ReadonlySet<Fault>;

const answers: Record<Fault, [status: number, error: string]> = {
  method: [405, 'Method POST is not allowed here. Use GET or HEAD.'],
  ...keyRefusals,
  resource: [404, `Unknown resource. Valid resources: ${resourceNames.join(', ')}`],
  brand: [404, 'Unknown brand'],
  parameter: [400, 'Invalid limit: 0. Give an integer from 1 to 200.'],
};

/** The fault that the first refusing gate finds. An unknown path is 404 for every method. */
const firstFault = (request: Request): Fault | undefined =>
  faults.find((fault) => request.has(fault) && !(fault === 'method' && request.has('resource')));

const isMetered = (request: Request): boolean => {
  const fault = firstFault(request);
  return fault === undefined || faults.indexOf(fault) > faults.indexOf('empty bucket');
};

const pathOf = (request: Request): string => {
  const parameters = [request.has('brand') ? 'brand=nobody' : '', request.has('parameter') ? 'limit=0' : ''];
  return `/api/v1/${request.has('resource') ? 'nonsense' : 'prompts'}?${parameters.filter(Boolean).join('&')}`;
};

const ofRequest = subsets<Fault>(['method', 'resource', 'brand', 'parameter']);

describe('rule: the gates run in the order of the contract', () => {
  const server = ruleServer({ rateLimitStore: 'database' });

  const ask = (request: Request, key: string | undefined) =>
    send(server.url, pathOf(request), {
      method: request.has('method') ? 'POST' : 'GET',
      headers: key === undefined ? {} : bearer(key),
    });

  function expectAnswer(request: Request, reply: { status: number; body: string }): void {
    const fault = firstFault(request);
    const name = [...request].join(' + ');
    if (fault === undefined) {
      expect(reply.status, name).to.equal(200);
      return;
    }
    const [status, error] = answers[fault];
    expect(reply.status, name).to.equal(status);
    expect(JSON.parse(reply.body).error, name).to.equal(error);
  }

  for (const ofKey of subsets(keyFaults)) {
    it(`with a key that is ${ofKey.join(', ') || 'in order'}`, async () => {
      const { key, setTokens, tokens } = await keyWith(server, ofKey);
      for (const requestFaults of ofRequest) {
        const request = new Set<Fault>([...ofKey, ...requestFaults]);
        await setTokens(request.has('empty bucket') ? 0 : 50);
        const reply = await ask(request, key);
        expectAnswer(request, reply);
        const left = request.has('empty bucket') ? 0 : isMetered(request) ? 49 : 50;
        const name = `tokens left after ${[...request].join(' + ')}`;
        expect(await tokens(), name).to.equal(left);
        expect(reply.headers['x-ratelimit-remaining'], name).to.equal(String(left));
      }
    });
  }

  for (const keyFault of ['missing key', 'unknown key'] as const) {
    it(`with a ${keyFault}: no bucket, no rate headers`, async () => {
      for (const requestFaults of ofRequest) {
        const request = new Set([keyFault, ...requestFaults]);
        const reply = await ask(request, keyFault === 'missing key' ? undefined : 'svc_nobody');
        expectAnswer(request, reply);
        expect(reply.headers).to.not.have.any.keys('x-ratelimit-remaining', 'x-svc-key-kind');
        if (reply.status === 401) expect(reply.headers['www-authenticate']).to.equal('Bearer');
      }
    });
  }

  it('503 is checked after 405 and before the key', async () => {
    const off = await testServer({ now: NOW, operatorKey: null, database: server.database });
    const { key } = await keyWith(server, ['expired']);
    for (const requestFaults of ofRequest) {
      const request = new Set(requestFaults);
      for (const headers of [{}, bearer('svc_nobody'), bearer(key)]) {
        const method = request.has('method') ? 'POST' : 'GET';
        const reply = await send(off.url, pathOf(request), { method, headers });
        if (firstFault(request) === 'method') expect(reply.status).to.equal(405);
        else {
          expect(reply.status).to.equal(503);
          expect(reply.body).to.equal('{"error":"API disabled — set API_ACCESS_KEY","code":"api_disabled"}');
        }
        expect(reply.headers).to.not.have.any.keys('x-ratelimit-remaining', 'x-svc-key-kind');
      }
    }
    await off.close();
  });

  it('405 names the methods that work', async () => {
    const reply = await send(server.url, '/api/v1/prompts', { method: 'DELETE' });
    expect(reply.status).to.equal(405);
    expect(reply.headers.allow).to.equal('GET, HEAD');
  });

  it('a workspace without brands is reported after the key’s kind and before the parameters', async () => {
    const full = await server.key({ workspace: 'bare', kind: 'full' });
    const ingest = await server.key({ workspace: 'bare', kind: 'ingest' });
    const path = '/api/v1/prompts?limit=0&brand=first';
    expect((await server.request(path, ingest)).status).to.equal(403);
    const reply = await server.request(path, full);
    expect([reply.status, await reply.json()]).to.deep.equal([
      404,
      { error: 'No brands exist', code: 'no_brands' },
    ]);
  });
});
