import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import knex from 'knex';
import { type Database, migrate, openDatabase } from '../../src/server/database/database.js';
import type { BodyTimeouts } from '../../src/server/web/http/read-body.js';
import { createDatabaseUrl, serverUrl } from '../support/database.js';
import { OPERATOR_KEY, testServer } from '../support/server.js';
import { awaitedLock } from './support/awaited-lock.js';
import { collectingLog } from './support/collecting-log.js';
import { brandRecords, NOW, records } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { lastEventAt, line, PATH, ship, shipped, storedHits } from './support/shipping.js';
import { bearer } from './support/wire.js';

const lines = (count: number) => Array.from({ length: count }, (_, i) => line({ path: `/${i}` })).join('');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const LONG: BodyTimeouts = { idleMs: 60_000, totalMs: 60_000 };

describe('rule: a body is stored completely or not at all', () => {
  const log = collectingLog();
  const server = ruleServer({ data: brandRecords, log: log.log, bodyTimeouts: LONG });
  beforeEach(() => server.database.knex.raw('truncate crawler_events, crawler_connections'));

  /** A server on the same database with a short limit: the other would pass first on a slow machine if it were short too. */
  const limited = (limit: Partial<BodyTimeouts>) =>
    testServer({ now: NOW, database: server.database, log: log.log, bodyTimeouts: { ...LONG, ...limit } });

  const nothingStored = async () => {
    expect(await storedHits(server)).to.deep.equal([]);
    expect(await lastEventAt(server)).to.equal(null);
  };

  /** Opens a connection and sends the head of a request, and as much of its body as is given. */
  async function begin(
    head: string[],
    body: string,
    of = server,
  ): Promise<{ socket: Socket; reply: Promise<string> }> {
    const { hostname, port } = new URL(of.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    const reply = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => (text += chunk)).on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    const all = [
      `POST ${PATH}?brand=first HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${OPERATOR_KEY}`,
      ...head,
    ];
    socket.write(`${all.join('\r\n')}\r\n\r\n${body}`);
    return { socket, reply };
  }

  it('an aborted upload stores nothing and is not logged as a failure', async () => {
    for (const head of [['Content-Length: 100000'], ['Transfer-Encoding: chunked']]) {
      const chunk = lines(50);
      const body = head[0]!.startsWith('T') ? `${chunk.length.toString(16)}\r\n${chunk}\r\n` : chunk;
      const { socket } = await begin(head, body);
      await pause(100);
      socket.destroy();
    }
    await pause(300);
    await nothingStored();
    expect(log.lines.filter((each) => each.includes('request failed'))).to.deep.equal([]);
  });

  it('a client that stalls gets 408, is disconnected, and nothing is stored', async () => {
    const own = await limited({ idleMs: 400 });
    const { reply } = await begin(['Content-Length: 100000'], lines(50), own);
    const text = await reply;
    await own.close();
    expect(text).to.match(/^HTTP\/1\.1 408 /);
    expect(text).to.include(
      '{"error":"Body too slow: it was not all there after 1s. Nothing was stored.","code":"body_timeout"}',
    );
    await nothingStored();
  });

  it('a client that drips is cut when its time is up', async () => {
    const own = await limited({ totalMs: 1500 });
    const { socket, reply } = await begin(['Content-Length: 100000'], line(), own);
    const drip = setInterval(() => socket.write(line()), 100);
    const text = await reply;
    clearInterval(drip);
    await own.close();
    expect(text).to.match(/^HTTP\/1\.1 408 /);
    expect(text).to.include('after 2s');
    await nothingStored();
  });

  it('a refusal reaches a client that is still sending, and then its connection is cut', async () => {
    const { socket, reply } = await begin(['Content-Length: 20000000'], lines(10));
    socket.on('close', () => undefined);
    const text = await reply;
    expect(text).to.match(/^HTTP\/1\.1 413 /);
    expect(text).to.include('Body over 10 MB');
  });

  it('the connection serves on after a refused body that was all there', async () => {
    const { Agent } = await import('node:http');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (body: string) =>
      new Promise<[number, number]>((resolve, reject) => {
        const sent = request(
          `${server.url}${PATH}`,
          { method: 'POST', agent, headers: bearer(OPERATOR_KEY) },
          (response) => {
            const { localPort } = response.socket;
            response.resume().on('end', () => resolve([response.statusCode!, localPort!]));
          },
        );
        sent.on('error', reject).end(body);
      });
    const [refused, firstPort] = await post(' ');
    const [taken, secondPort] = await post(line());
    agent.destroy();
    expect([refused, taken]).to.deep.equal([400, 200]);
    expect(secondPort).to.equal(firstPort);
  });

  it('what was acknowledged is there, though the connection dies before the answer is read', async () => {
    const body = lines(200);
    const { socket, reply } = await begin([`Content-Length: ${body.length}`], body);
    socket.once('data', () => socket.destroy());
    await reply;
    expect(await storedHits(server)).to.have.lengthOf(200);
    expect(await shipped(server, body)).to.include({ inserted: 0, matched: 200 });
  });

  it('a statement that fails leaves nothing behind, not even the first rows', async () => {
    const db = server.database.knex;
    await db.raw('alter table crawler_connections add constraint refuse check (data_version < 0)');
    const reply = await ship(server, lines(300));
    expect(reply.status).to.equal(500);
    expect(await reply.json()).to.have.keys('error', 'code', 'request_id');
    await db.raw('alter table crawler_connections drop constraint refuse');
    await nothingStored();
    expect(await shipped(server, lines(300))).to.include({ inserted: 300 });
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

    it('a database that goes away in the middle is 503, stores nothing, and the body may be sent again', async () => {
      const own = await testServer({ now: NOW, database, rateLimitStore: 'memory' });
      await own.load(records);
      await shipped(own, 'test');
      await shipped(own, line({ path: '/before' }));
      const blocker = await openDatabase({ url });
      const blocking = await blocker.knex.transaction();
      await blocking.raw('lock table crawler_connections in exclusive mode');
      const { rows } = await blocking.raw('select pg_backend_pid() as pid');
      const waiting = ship(own, lines(100));
      await awaitedLock(blocker);
      const admin = knex({ client: 'pg', connection: serverUrl!, pool: { min: 0, max: 1 } });
      // Not the connection that has the lock: without it the statement could be done before its own connection ends.
      await admin.raw(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = :name and pid <> :holder',
        { name: decodeURIComponent(new URL(url).pathname.slice(1)), holder: rows[0].pid },
      );
      await admin.destroy();
      const reply = await waiting;
      expect([reply.status, await reply.text()]).to.deep.equal([
        503,
        '{"error":"Database unavailable","code":"database_unavailable"}',
      ]);
      await blocking.rollback().catch(() => undefined);
      await blocker.close();
      await pause(1100);
      expect(await storedHits(own)).to.have.lengthOf(1);
      expect(await shipped(own, lines(100))).to.include({ inserted: 100, matched: 100 });
      await own.close();
    });
  });
});
