import { expect } from 'chai';
import knex from 'knex';
import { type Database, migrate, openDatabase } from '../../src/server/database/database.js';
import { createDatabaseUrl, serverUrl } from '../support/database.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../support/server.js';
import { awaitedLock } from './support/awaited-lock.js';
import { collectingLog } from './support/collecting-log.js';
import { NOW, records } from './support/records.js';

const UNAVAILABLE = '{"error":"Database unavailable","code":"database_unavailable"}';
const BUSY = '{"error":"The server is busy with other requests. Retry after 5s.","code":"server_busy"}';

describe('rule: without its database the server responds 503, and recovers without a restart', () => {
  it('where nothing listens every read is 503 with Retry-After; the process lives', async () => {
    const database = await openDatabase({ url: 'postgres://nobody@127.0.0.1:9/nothing' });
    const server = await testServer({ now: NOW, database, rateLimitStore: 'memory' });
    for (const [path, key] of [
      ['/api/v1/brands', OPERATOR_KEY],
      ['/api/v1/overview', 'svc_somebody'],
      ['/readyz', null],
    ] as const) {
      const reply = await server.request(path, key);
      expect([reply.status, await reply.text()], path).to.deep.equal([503, UNAVAILABLE]);
      expect(Number(reply.headers.get('Retry-After')), path).to.be.at.least(1);
      expect(reply.headers.get('Content-Type')).to.equal('application/json');
    }
    expect((await server.request('/livez', null)).status).to.equal(200);
    expect((await server.request('/api/v1/brands', OPERATOR_KEY, { method: 'PUT' })).status).to.equal(405);
    expect((await server.request('/api/v1/brands', null)).status).to.equal(401);
    await server.close();
    await database.close();
  });

  describe('on a Postgres server', () => {
    let url: string;
    let database: Database;
    before(async function () {
      if (!serverUrl) return this.skip();
      url = await createDatabaseUrl(serverUrl);
      database = await openDatabase({ url });
      await migrate(database.knex);
    });
    after(() => database?.close());

    /** Ends every connection to the database of these tests. */
    async function endConnections(): Promise<void> {
      const admin = knex({ client: 'pg', connection: serverUrl!, pool: { min: 0, max: 1 } });
      await admin.raw('select pg_terminate_backend(pid) from pg_stat_activity where datname = ?', [
        decodeURIComponent(new URL(url).pathname.slice(1)),
      ]);
      await admin.destroy();
    }

    /** The status of a read when the database can be reached again: 503 until connections that ended are noticed. */
    async function soon(server: TestServer, path: string): Promise<number> {
      const ask = async () => (await server.request(path)).status;
      let status = await ask();
      for (let tries = 0; status === 503 && tries < 20; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        status = await ask();
      }
      return status;
    }

    it('connections that end between requests are not noticed for longer than a moment', async () => {
      const server = await testServer({ now: NOW, database, rateLimitStore: 'memory' });
      await server.load(records);
      expect((await server.request('/api/v1/prompts?brand=first')).status).to.equal(200);
      await endConnections();
      expect(await soon(server, '/api/v1/prompts?brand=second')).to.equal(200);
      await server.close();
    });

    it('/readyz is 200 while all connections of the pool are busy', async () => {
      const server = await testServer({ now: NOW, database, rateLimitStore: 'memory' });
      const { client } = database.knex;
      const busy = await Promise.all(
        Array.from({ length: client.pool.max }, () => client.acquireConnection()),
      );
      try {
        expect((await server.request('/readyz', null)).status).to.equal(200);
      } finally {
        for (const connection of busy) await client.releaseConnection(connection);
        await server.close();
      }
    });

    it('reads are 503 while all connections stay busy, and are answered when one is free', async () => {
      const { log, lines } = collectingLog();
      const server = await testServer({ now: NOW, database, rateLimitStore: 'memory', log });
      await server.load(records);
      const { client } = database.knex;
      const busy = await Promise.all(
        Array.from({ length: client.pool.max }, () => client.acquireConnection()),
      );
      const reply = await server.request('/api/v1/prompts?brand=first&limit=4');
      expect([reply.status, await reply.text()]).to.deep.equal([503, BUSY]);
      expect(Number(reply.headers.get('Retry-After'))).to.be.at.least(1);
      expect(lines).to.deep.equal([]);
      for (const connection of busy) await client.releaseConnection(connection);
      expect((await server.request('/api/v1/prompts?brand=first&limit=4')).status).to.equal(200);
      await server.close();
    });

    it('a statement that is cancelled after its time limit is 503, and the next one is answered', async () => {
      const server = await testServer({ now: NOW, database, rateLimitStore: 'memory' });
      await server.load(records);
      const blocker = await openDatabase({ url });
      const blocking = await blocker.knex.transaction();
      await blocking.raw('lock table tag_groups in access exclusive mode');
      const waiting = server.request('/api/v1/prompts?brand=first&limit=5');
      await awaitedLock(blocker);
      await blocker.knex.raw(
        "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      const reply = await waiting;
      expect([reply.status, await reply.text()]).to.deep.equal([503, UNAVAILABLE]);
      expect(Number(reply.headers.get('Retry-After'))).to.be.at.least(1);
      await blocking.rollback();
      await blocker.close();
      expect((await server.request('/api/v1/prompts?brand=first&limit=5')).status).to.equal(200);
      await server.close();
    });

    it('a database that refuses connections is 503, and reads are answered when it accepts them', async () => {
      const server = await testServer({ now: NOW, database, rateLimitStore: 'memory' });
      await server.load(records);
      const admin = knex({ client: 'pg', connection: serverUrl!, pool: { min: 0, max: 1 } });
      const name = decodeURIComponent(new URL(url).pathname.slice(1));
      await admin.raw('alter database ?? allow_connections false', [name]);
      await endConnections();
      const refused = await server.request('/api/v1/prompts?brand=second&limit=3');
      await admin.raw('alter database ?? allow_connections true', [name]);
      await admin.destroy();
      expect([refused.status, await refused.text()]).to.deep.equal([503, UNAVAILABLE]);
      expect(await soon(server, '/api/v1/prompts?brand=second&limit=3')).to.equal(200);
      await server.close();
    });

    it('a connection that ends in the middle of a read is 503, and reads are answered again soon after', async () => {
      const { log, lines } = collectingLog();
      const server = await testServer({ now: NOW, database, rateLimitStore: 'memory', log });
      await server.load(records);
      const blocker = await openDatabase({ url });
      const blocking = await blocker.knex.transaction();
      await blocking.raw('lock table tag_groups in access exclusive mode');
      const waiting = server.request('/api/v1/prompts?brand=first&limit=3');
      await awaitedLock(blocker);
      await endConnections();
      const reply = await waiting;
      expect([reply.status, await reply.text()]).to.deep.equal([503, UNAVAILABLE]);
      expect(Number(reply.headers.get('Retry-After'))).to.be.at.least(1);
      await blocking.rollback().catch(() => undefined);
      await blocker.close();
      expect(await soon(server, '/api/v1/prompts?brand=first&limit=3'), lines.join('')).to.equal(200);
      await server.close();
    });
  });
});
