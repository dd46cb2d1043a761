import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Database, migrate, openDatabase } from '../../src/server/database/database.js';
import { createDatabaseUrl, serverUrl } from '../support/database.js';
import { OPERATOR_KEY, testServer } from '../support/server.js';
import { brandRecords, NOW, records } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { line, PATH, ship, shipped, storedHits } from './support/shipping.js';
import { bearer } from './support/wire.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}

const KIB = 1024;
const limits = { bodies: 8, bodiesPerKey: 5, bytes: 400 * KIB, bytesPerKey: 300 * KIB };
const BUSY = {
  error: 'Too many log bodies are on their way. Nothing of this one was stored; retry after 5s.',
  code: 'ingest_busy',
};

interface Upload {
  readonly sent: ClientRequest;
  /** Status and body of the answer. */
  readonly answer: Promise<[status: number, body: unknown, retryAfter: string | undefined]>;
}

describe('rule: the process holds a limited number of bodies, and no key can use all of it', () => {
  const server = ruleServer({ data: brandRecords, memoryLimits: limits, clock: 'refill' });
  let ingestKey: string;
  const uploads: Upload[] = [];
  before(async () => {
    ingestKey = await server.key({ workspace: 'w', kind: 'ingest' });
  });
  beforeEach(async () => {
    await server.database.knex.raw('truncate crawler_events, crawler_connections');
  });
  afterEach(async () => {
    for (const { sent, answer } of uploads.splice(0)) {
      sent.destroy();
      await answer.catch(() => undefined);
    }
    await until(async () => (await ship(server, line())).status === 200);
  });

  /** Begins an upload and sends no more of its body than is given. */
  function begin(key: string, headers: Record<string, string>, body = ''): Upload {
    const sent = request(`${server.url}${PATH}?brand=first`, {
      method: 'POST',
      agent: false,
      headers: { ...bearer(key), ...headers },
    });
    const answer = new Promise<[number, unknown, string | undefined]>((resolve, reject) => {
      sent.on('error', reject).on('response', (response) => {
        let text = '';
        response
          .on('data', (chunk) => (text += chunk))
          .on('end', () =>
            resolve([response.statusCode!, JSON.parse(text), response.headers['retry-after']]),
          );
      });
    });
    answer.catch(() => undefined);
    sent.flushHeaders();
    if (body !== '') sent.write(body);
    const upload = { sent, answer };
    uploads.push(upload);
    return upload;
  }

  /** Waits for as many refusals as are expected, and a moment for more. */
  const refusals = async (some: readonly Upload[], expected = 1): Promise<unknown[]> => {
    const answered: unknown[] = [];
    for (const { answer } of some)
      void answer.then(
        (each) => answered.push(each),
        () => undefined,
      );
    await until(() => Promise.resolve(answered.length >= expected));
    await pause(200);
    return answered;
  };

  it('uploads of one key that state more than its share are 503, and other keys are served', async () => {
    const held = Array.from({ length: 4 }, () => begin(ingestKey, { 'Content-Length': String(100 * KIB) }));
    expect(await refusals(held)).to.deep.equal([[503, BUSY, '5']]);
    expect(await shipped(server, line())).to.include({ inserted: 1 });
  });

  it('so are uploads that state no length, as they grow', async () => {
    const chunked = { 'Transfer-Encoding': 'chunked' };
    const held = Array.from({ length: 4 }, () => begin(ingestKey, chunked, line().repeat(500)));
    expect(line().length * 500).to.be.within(76 * KIB, 100 * KIB - 1);
    const answered = await refusals(held);
    expect(answered).to.deep.equal([[503, BUSY, '5']]);
    expect(await shipped(server, line())).to.include({ inserted: 1 });
    expect(await storedHits(server)).to.have.lengthOf(1);
  });

  it('so are uploads beyond a number, however small they are', async () => {
    const held = Array.from({ length: 7 }, () => begin(ingestKey, { 'Content-Length': '10' }));
    expect(await refusals(held, 2)).to.deep.equal([
      [503, BUSY, '5'],
      [503, BUSY, '5'],
    ]);
    expect(await shipped(server, line())).to.include({ inserted: 1 });
  });

  it('what all keys hold together is limited too', async () => {
    const stated = { 'Content-Length': String(250 * KIB) };
    const held = [begin(ingestKey, stated), begin(OPERATOR_KEY, stated)];
    expect(await refusals(held)).to.deep.equal([[503, BUSY, '5']]);
  });

  it('a body that breaks off, is refused or is stored gives back what it held', async () => {
    for (let round = 0; round < 4; round++) {
      const held = Array.from({ length: 3 }, () => begin(ingestKey, { 'Content-Length': String(95 * KIB) }));
      await pause(100);
      for (const { sent } of held) sent.destroy();
      await until(async () => {
        const reply = await ship(server, 'x'.repeat(250 * KIB), { key: ingestKey });
        await reply.arrayBuffer();
        return reply.status === 200;
      });
      expect((await ship(server, ' '.repeat(250 * KIB), { key: ingestKey })).status).to.equal(400);
      server.now = new Date(server.now.getTime() + 60_000);
    }
  });

  it('a body over the limit of one is 413, however much is held', async () => {
    begin(ingestKey, { 'Content-Length': String(300 * KIB) });
    await pause(100);
    const tooLarge = begin(ingestKey, { 'Content-Length': String(10_485_761) });
    expect((await tooLarge.answer)[0]).to.equal(413);
  });

  it('as many small bodies as a bucket has tokens may arrive at once', async () => {
    const open = await testServer({ now: NOW, database: server.database });
    const bodies = Array.from({ length: 120 }, (_, i) => gzipSync(line({ path: `/${i}` })));
    const replies = await Promise.all(bodies.map((body) => ship(open, body, { key: ingestKey })));
    expect(replies.map(({ status }) => status)).to.deep.equal(bodies.map(() => 200));
    expect(await storedHits(open)).to.have.lengthOf(120);
    await open.close();
  });
});

describe('rule: the cost of a connection does not grow with refused requests', () => {
  it('no listeners are left on its socket', async () => {
    const server = await testServer({ now: NOW });
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const served = new Set<Socket>();
    const onRequest = (message: unknown) => served.add((message as { socket: Socket }).socket);
    subscribe('http.server.request.start', onRequest);
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const counts: number[] = [];
    for (let i = 0; i < 40; i++) {
      // The response arrives before the body is sent.
      socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n`);
      await new Promise((resolve) => socket.once('data', resolve));
      const [side] = served;
      counts.push(side!.eventNames().reduce((sum, name) => sum + side!.listenerCount(name), 0));
      socket.write('12345');
    }
    unsubscribe('http.server.request.start', onRequest);
    expect(served.size).to.equal(1);
    expect(Math.max(...counts)).to.be.at.most(counts[0]! + 2);
    socket.destroy();
    await pause(50);
    process.off('warning', onWarning);
    expect(warnings).to.deep.equal([]);
    await server.close();
  });
});

describe('rule: bodies that wait for locks leave connections to reads, on a Postgres server', () => {
  let url: string;
  let database: Database;
  before(async function () {
    if (!serverUrl) return this.skip();
    url = await createDatabaseUrl(serverUrl);
    database = await openDatabase({ url });
    await migrate(database.knex);
  });
  after(() => database?.close());

  it('more bodies than the pool has connections, from two keys', async () => {
    const server = await testServer({ now: NOW, database, rateLimitStore: 'memory' });
    await server.load(records);
    const key = await server.key({ workspace: 'w', kind: 'full' });
    await shipped(server, line({ path: '/before' }));
    const locker = await openDatabase({ url });
    const lock = await locker.knex.transaction();
    await lock.raw('lock table crawler_events in exclusive mode');
    const bodies = Array.from({ length: database.knex.client.pool.max * 2 }, (_, i) =>
      ship(server, line({ path: `/${i}` }), { key: i % 2 ? key : OPERATOR_KEY }),
    );
    await pause(1000);
    for (const read of ['prompts', 'sources', 'competitors', 'answers', 'urls']) {
      expect((await server.request(`/api/v1/${read}?brand=second`, key)).status, read).to.equal(200);
    }
    await lock.commit();
    await locker.close();
    const statuses = (await Promise.all(bodies)).map(({ status }) => status);
    expect(statuses).to.deep.equal(statuses.map(() => 200));
    await server.close();
  });
});
