import { expect } from 'chai';
import type { NewKey } from '../../src/server/accounts/keys.js';
import { OPERATOR_KEY, testServer } from '../support/server.js';
import { brandRecords, NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { line, PATH, refused, ship, shipped, storedHits } from './support/shipping.js';

const UNKNOWN_BRAND = [404, { error: 'Unknown brand', code: 'unknown_brand' }];

for (const rateLimitStore of ['memory', 'database'] as const) {
  describe(`rule: the gates of crawler-events (${rateLimitStore})`, () => {
    const server = ruleServer({ data: brandRecords, rateLimitStore, clock: 'reset' });
    const key = (wanted: Partial<NewKey>) => server.key({ workspace: 'w', kind: 'full', ...wanted });

    it('only POST works: every other method is 405, also without a key, and costs no token', async () => {
      const own = await key({ kind: 'ingest' });
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const nobodys = await server.request(PATH, null, { method });
        expect([nobodys.status, nobodys.headers.get('Allow')], method).to.deep.equal([405, 'POST']);
        const reply = await server.request(PATH, own, { method });
        expect([reply.status, reply.headers.get('X-RateLimit-Remaining')], method).to.deep.equal([
          405,
          '120',
        ]);
        if (method !== 'HEAD')
          expect(await reply.json()).to.deep.equal({
            error: `Method ${method} is not allowed here. Use POST.`,
            code: 'method_not_allowed',
          });
      }
    });

    it('401 without a key or with an unknown one', async () => {
      for (const nobody of [null, 'svc_nobody']) {
        const reply = await ship(server, line(), { key: nobody });
        expect([reply.status, await reply.json()]).to.deep.equal([
          401,
          { error: 'Unauthorized', code: 'unauthorized' },
        ]);
        expect(reply.headers.get('WWW-Authenticate')).to.equal('Bearer');
        expect(reply.headers.has('X-RateLimit-Limit')).to.equal(false);
      }
    });

    it('401 with an expired key, 403 from an address that is not listed: neither costs a token', async () => {
      const expired = await key({ kind: 'ingest', expires: '2026-11-01' });
      expect(await refused(server, line(), { key: expired })).to.deep.equal([
        401,
        { error: 'This API key expired on 2026-11-01.', code: 'key_expired' },
      ]);
      const elsewhere = await key({ kind: 'ingest', allow: ['203.0.113.0/24'] });
      const reply = await ship(server, line(), { key: elsewhere });
      expect([reply.status, await reply.json()]).to.deep.equal([
        403,
        { error: 'This API key may not be used from 127.0.0.1.', code: 'address_not_allowed' },
      ]);
      expect(reply.headers.get('X-RateLimit-Remaining')).to.equal('120');
    });

    it('full, ingest and operator keys ship; a read key is 403 and costs a token', async () => {
      for (const kind of ['full', 'ingest'] as const) {
        const own = await key({ kind });
        const reply = await ship(server, line({ path: `/${kind}` }), { key: own });
        expect([reply.status, reply.headers.get('X-SVC-Key-Kind')]).to.deep.equal([200, kind]);
        expect(reply.headers.get('X-RateLimit-Remaining')).to.equal('119');
        expect(reply.headers.get('X-SVC-API-Version')).to.match(/^\d{4}-\d\d-\d\d$/);
        expect(reply.headers.get('Content-Type')).to.equal('application/json');
      }
      expect(await shipped(server, line({ path: '/operator' }), { key: OPERATOR_KEY })).to.include({
        inserted: 1,
      });
      const reader = await key({ kind: 'read' });
      const reply = await ship(server, line({ path: '/read' }), { key: reader });
      expect([reply.status, await reply.json()]).to.deep.equal([
        403,
        { error: 'This API key is read-only: it may not ingest crawler logs.', code: 'read_only' },
      ]);
      expect(reply.headers.get('X-RateLimit-Remaining')).to.equal('119');
      expect((await storedHits(server)).map((hit) => hit.path)).to.not.include('/read');
    });

    it('every plan may ship', async () => {
      await server.load([{ type: 'workspace', id: 'w', name: 'w', plan: 'trial' }]);
      expect(await shipped(server, line(), { key: await key({ kind: 'ingest' }) })).to.include({
        matched: 1,
      });
      await server.load([{ type: 'workspace', id: 'w', name: 'w', plan: 'growth' }]);
    });

    it('a brand that is foreign, nonexistent or malformed is one 404', async () => {
      const own = await key({ kind: 'ingest' });
      for (const brand of ['foreign', 'nobody', '', '%00', 'a'.repeat(5000)]) {
        expect(await refused(server, line(), { key: own, brand }), brand.slice(0, 20)).to.deep.equal(
          UNKNOWN_BRAND,
        );
      }
      const limited = await key({ kind: 'ingest', brands: ['second'] });
      expect(await refused(server, line(), { key: limited, brand: 'first' })).to.deep.equal(UNKNOWN_BRAND);
      const bare = await server.key({ workspace: 'bare', kind: 'ingest' });
      expect(await refused(server, line(), { key: bare })).to.deep.equal([
        404,
        { error: 'No brands exist', code: 'no_brands' },
      ]);
    });

    it('the brand is checked before the body, a parameter given twice after it', async () => {
      expect(await refused(server, '', { brand: 'nobody' })).to.deep.equal(UNKNOWN_BRAND);
      expect(await refused(server, Buffer.alloc(10_485_761), { brand: 'nobody' })).to.deep.equal(
        UNKNOWN_BRAND,
      );
      expect(await refused(server, '', { query: '&brand=second' })).to.deep.equal([
        400,
        {
          error: 'Parameter brand was given 2 times. Give it once.',
          code: 'repeated_param',
          parameters: ['brand'],
        },
      ]);
    });

    it('ingest has a bucket of its own: what one empties the other keeps', async () => {
      const own = await key({ kind: 'full' });
      const replies = await Promise.all(
        Array.from({ length: 120 }, () => ship(server, 'test', { key: own })),
      );
      await Promise.all(replies.map((reply) => reply.arrayBuffer()));
      expect(new Set(replies.map((reply) => reply.status))).to.deep.equal(new Set([200]));
      const refusal = await ship(server, line({ path: '/over' }), { key: own });
      expect(refusal.status).to.equal(429);
      expect(refusal.headers.get('Retry-After')).to.equal('1');
      expect(await refusal.text()).to.equal(
        '{"error":"Rate limit exceeded: 120 requests per minute per API key. Retry after 1s.","code":"rate_limited","retry_after_seconds":1}',
      );
      expect((await storedHits(server)).map((hit) => hit.path)).to.not.include('/over');
      const read = await server.request('/api/v1/brands', own);
      expect([read.status, read.headers.get('X-RateLimit-Remaining')]).to.deep.equal([200, '119']);
      server.now = new Date(NOW.getTime() + 500);
      expect((await ship(server, 'test', { key: own })).status).to.equal(200);
    });

    it('each response states the bucket of its surface, also for a key that may not use it', async () => {
      const own = await key({ kind: 'ingest' });
      expect((await server.request('/api/v1/overview', own)).status).to.equal(403);
      const reply = await ship(server, 'test', { key: own });
      expect(reply.headers.get('X-RateLimit-Remaining')).to.equal('119');
    });

    it('503 while the API is off, after 405', async () => {
      const off = await testServer({ now: NOW, operatorKey: null, database: server.database });
      expect(await refused(off, line())).to.deep.equal([
        503,
        { error: 'API disabled — set API_ACCESS_KEY', code: 'api_disabled' },
      ]);
      expect((await off.request(PATH)).status).to.equal(405);
      await off.close();
    });
  });
}
