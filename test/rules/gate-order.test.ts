import { expect } from 'chai';
import { resourceNames } from '../../src/contract/registry.js';
import type { NewKey } from '../../src/server/accounts/keys.js';
import { testServer } from '../support/server.js';
import { NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { bearer, send } from './support/wire.js';

/** Every fault of a request, in the order in which the gates check it. */
const faults = [
  'method',
  'missing key',
  'unknown key',
  'expired',
  'address',
  'empty bucket',
  'kind',
  'resource',
  'brand',
  'parameter',
] as const;
type Fault = (typeof faults)[number];
type Request = ReadonlySet<Fault>;

const answers: Record<Fault, [status: number, error: string]> = {
  method: [405, 'Method POST is not allowed here. Use GET or HEAD.'],
  'missing key': [401, 'Unauthorized'],
  'unknown key': [401, 'Unauthorized'],
  expired: [401, 'This API key expired on 2026-11-19.'],
  address: [403, 'This API key may not be used from 127.0.0.1.'],
  'empty bucket': [429, 'Rate limit exceeded: 120 requests per minute per API key. Retry after 1s.'],
  kind: [403, 'This API key is ingest-only: it may call POST /api/v1/crawler-events and nothing else.'],
  resource: [404, `Unknown resource. Valid resources: ${resourceNames.join(', ')}`],
  brand: [404, 'Unknown brand'],
  parameter: [400, 'Invalid limit: 0. Give an integer from 1 to 200.'],
};

const subsets = <T>(of: readonly T[]): T[][] =>
  of.reduce<T[][]>((all, each) => all.concat(all.map((set) => set.concat(each))), [[]]);

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
const ofKey = subsets<Fault>(['expired', 'address', 'empty bucket', 'kind']);

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

  for (const keyFaults of ofKey) {
    it(`with a key that is ${keyFaults.join(', ') || 'in order'}`, async () => {
      const { id, key } = await keyWith(keyFaults);
      for (const requestFaults of ofRequest) {
        const request = new Set([...keyFaults, ...requestFaults]);
        await setTokens(id, request.has('empty bucket') ? 0 : 50);
        const reply = await ask(request, key);
        expectAnswer(request, reply);
        const left = request.has('empty bucket') ? 0 : isMetered(request) ? 49 : 50;
        const name = `tokens left after ${[...request].join(' + ')}`;
        expect(await tokens(id), name).to.equal(left);
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
    const { key } = await keyWith(['expired']);
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

  /** A key with some faults; the id names its bucket. */
  async function keyWith(keyFaults: readonly Fault[]): Promise<{ id: string; key: string }> {
    const wanted: NewKey = {
      workspace: 'w',
      kind: keyFaults.includes('kind') ? 'ingest' : 'full',
      expires: keyFaults.includes('expired') ? '2026-11-19' : undefined,
      allow: keyFaults.includes('address') ? ['203.0.113.0/24'] : undefined,
    };
    const key = await server.key(wanted);
    const { rows } = await server.database.knex.raw('select id from api_keys where display = ?', [
      key.slice(0, 12),
    ]);
    return { id: rows[0].id, key };
  }

  const setTokens = (id: string, tokens: number) =>
    server.database.knex.raw(
      `insert into rate_buckets (bucket, tokens, at, granted) values (:bucket, :tokens, :at, true)
       on conflict (bucket) do update set tokens = excluded.tokens, at = excluded.at`,
      { bucket: `reads:${id}`, tokens, at: NOW.getTime() / 1000 },
    );

  async function tokens(id: string): Promise<number> {
    const { rows } = await server.database.knex.raw('select tokens from rate_buckets where bucket = ?', [
      `reads:${id}`,
    ]);
    return rows[0].tokens;
  }
});
