import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { addDays } from '../../src/server/base/days.js';
import { type Database, migrate, openDatabase } from '../../src/server/database/database.js';
import { serverMetrics } from '../../src/server/run/monitoring/metrics.js';
import { PATH as MCP } from '../server/web/mcp/support/rpc.js';
import { createDatabaseUrl, emptyDatabase, serverUrl } from '../support/database.js';
import { type TestServer, testServer } from '../support/server.js';
import { awaitedLock } from './support/awaited-lock.js';
import { collectingLog } from './support/collecting-log.js';
import { type HeldStatements, holdStatements } from './support/held-statements.js';
import { NOW, records } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

/** Windows that no two requests have in common, so that none is in the cache. */
let windows = 0;
const ownWindow = () => {
  const back = windows++;
  return { from: addDays('2026-10-01', -(back % 250)), to: addDays('2026-11-20', -Math.floor(back / 250)) };
};
const ownPath = () => `/api/v1/prompts?${new URLSearchParams({ brand: 'first', ...ownWindow() })}`;
/** The first statement of such a read. */
const FIRST_STATEMENT = /from tag_groups/;

const batchOf = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'list_prompts', arguments: { brand_id: 'first', ...ownWindow() } },
  }));

/** A request that its client can abandon. */
function abandonable(server: TestServer, path: string, key?: string, init: RequestInit = {}) {
  const client = new AbortController();
  const reply = server.request(path, key, { ...init, signal: client.signal });
  const settled = reply.then(
    async (response) => `${response.status} ${await response.text()}`,
    () => 'abandoned',
  );
  return { leave: () => client.abort(), settled };
}
const postBatch = (server: TestServer, key?: string, count = 10) =>
  abandonable(server, MCP, key, { method: 'POST', body: JSON.stringify(batchOf(count)) });

describe('rule: work ends when nobody waits for it', () => {
  const { log, lines } = collectingLog();
  const server = ruleServer({ clock: 'refill', log, logLevel: 'debug' });
  let held: HeldStatements;
  beforeEach(async () => {
    lines.length = 0;
    // The brand is looked up before statements are held: the embedded database has one connection.
    await server.read('/api/v1/overview?brand=first');
    held = holdStatements(server.database.knex, FIRST_STATEMENT);
  });
  afterEach(() => held.end());

  const events = () => lines.map((line) => JSON.parse(line));
  /** Waits until the server has noticed that so many clients left. */
  async function noticed(count: number): Promise<void> {
    while (events().filter(({ aborted }) => aborted).length < count) await sleep(5);
  }
  /** Everything is in order: the log has only lines of requests. */
  const expectCalm = () => expect(events().filter(({ level }) => level > 20)).to.deep.equal([]);

  /** A read that comes after all earlier work: its statements are sent when that has ended. */
  async function endOfWork(): Promise<void> {
    held.release();
    await server.read(`/api/v1/competitors?${new URLSearchParams({ brand: 'first', ...ownWindow() })}`);
  }

  it('a batch ends with the call that runs, and no further statement of it is sent', async () => {
    const sent: string[] = [];
    server.database.knex.on('query', ({ sql }: { sql: string }) => sent.push(sql));
    const batch = postBatch(server);
    await held.begun(1);
    batch.leave();
    await noticed(1);
    await endOfWork();
    server.database.knex.removeAllListeners('query');
    expect(held.started).to.equal(1);
    expect(sent.filter((sql) => /^select p\.id/.test(sql))).to.deep.equal([]);
    expectCalm();
  });

  it('reads that wait for their turn are never begun', async () => {
    const first = Array.from({ length: 20 }, () => abandonable(server, ownPath()));
    await held.begun(1);
    for (const { leave } of first) leave();
    await noticed(first.length);
    const { started } = held;
    await endOfWork();
    expect(held.started).to.equal(started);
    expectCalm();
  });

  it('a computation goes on while another request waits for it', async () => {
    const path = ownPath();
    const one = abandonable(server, path);
    const other = abandonable(server, path);
    await held.begun(1);
    await sleep(20);
    one.leave();
    await noticed(1);
    held.release();
    expect(await other.settled).to.match(/^200 /);
    expect(held.started).to.equal(1);
  });

  it('who comes after the last one has left gets the answer', async () => {
    const path = ownPath();
    const one = abandonable(server, path);
    await held.begun(1);
    one.leave();
    await noticed(1);
    held.release();
    expect((await server.request(path)).status).to.equal(200);
  });

  it('a page ends with the reads that run', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const headers = { Origin: server.url };
    const body = new URLSearchParams({ key });
    const { headers: sent } = await server.request('/sign-in', null, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    const page = abandonable(server, '/brands/first', undefined, {
      headers: { Cookie: sent.getSetCookie()[0]!.split(';')[0]!, Authorization: '' },
    });
    await held.begun(1);
    page.leave();
    await noticed(1);
    const after: string[] = [];
    server.database.knex.on('query', ({ sql }: { sql: string }) => after.push(sql));
    await endOfWork();
    server.database.knex.removeAllListeners('query');
    expect(after.filter((sql) => /^select p\.id/.test(sql))).to.deep.equal([]);
    expectCalm();
  });
});

describe('rule: a server that has stopped computes nothing more', () => {
  it('reads that wait are given up when it closes, before its database is', async () => {
    const database = await emptyDatabase();
    const metrics = serverMetrics();
    let waiting = () => 0;
    const watchPools: typeof metrics.watchPools = ({ primary }) => {
      waiting = () => primary?.reads?.waiting ?? 0;
    };
    const server = await testServer({ now: NOW, database, metrics: { ...metrics, watchPools } });
    await server.load(records);
    await server.read('/api/v1/overview?brand=first');
    const held = holdStatements(database.knex, FIRST_STATEMENT);
    const reads = Array.from({ length: 20 }, () => abandonable(server, ownPath()));
    await held.begun(1);
    while (waiting() === 0) await sleep(5);
    await server.close(1);
    expect(waiting()).to.equal(0);
    held.end();
    await database.close();
    expect(await Promise.all(reads.map(({ settled }) => settled))).to.deep.equal(Array(20).fill('abandoned'));
  });
});

describe('rule: one key leaves the server to the others', () => {
  let database: Database;
  let server: TestServer;
  let attacker: string;
  let victim: string;
  before(async function () {
    if (!serverUrl) return this.skip();
    database = await openDatabase({ url: await createDatabaseUrl(serverUrl) });
    await migrate(database.knex);
    server = await testServer({ now: NOW, database });
    await server.load(records);
    attacker = await server.key({ workspace: 'w', kind: 'read' });
    victim = await server.key({ workspace: 'w', kind: 'read' });
    return undefined;
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });
  after(async () => {
    await server?.close();
    await database?.close();
  });

  /** Makes the first statement of `prompts` wait in the database. */
  async function locked<T>(work: (blocker: Database) => Promise<T>): Promise<T> {
    const { database: name } = (await database.knex.raw('select current_database() as database')).rows[0];
    const target = new URL(serverUrl!);
    target.pathname = `/${name}`;
    const blocker = await openDatabase({ url: target.toString() });
    const blocking = await blocker.knex.transaction();
    await blocking.raw('lock table tag_groups in access exclusive mode');
    try {
      return await work(blocker);
    } finally {
      await blocking.rollback();
      await blocker.close();
    }
  }

  const waitingLocks = async ({ knex }: Database): Promise<number> =>
    (
      await knex.raw(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows[0].count;

  const half = () => Math.floor(database.knex.client.pool.max / 2);

  for (const [what, ask] of [
    ['120 reads', () => abandonable(server, ownPath(), attacker)],
    ['120 batches', () => postBatch(server, attacker)],
  ] as const)
    it(`${what} of one key use at most half of the pool, and the reads of another are answered meanwhile`, () =>
      locked(async (blocker) => {
        const all = Array.from({ length: 120 }, ask);
        await awaitedLock(blocker);
        for (let times = 0; times < 10; times++) {
          const { from, to } = ownWindow();
          const reply = await server.request(`/api/v1/overview?brand=first&from=${from}&to=${to}`, victim);
          expect(reply.status).to.equal(200);
        }
        expect(await waitingLocks(blocker)).to.be.within(1, half());
        for (const { leave } of all) leave();
        await Promise.all(all.map(({ settled }) => settled));
        while ((await waitingLocks(blocker)) > 0) await sleep(20);
      }));

  it('100 viewers of one link leave the other links of its key to theirs', async () => {
    const shared = async (): Promise<string> => {
      const made = await server.request('/shares?brand=first', attacker, { method: 'POST' });
      return ((await made.json()) as { path: string }).path;
    };
    const [crowded, quiet] = [await shared(), await shared()];
    await locked(async (blocker) => {
      const viewers = Array.from({ length: 100 }, () =>
        abandonable(server, `${crowded}/?${new URLSearchParams(ownWindow())}`),
      );
      await awaitedLock(blocker);
      for (let times = 0; times < 3; times++) {
        const reply = await server.request(`${quiet}/overview.json?${new URLSearchParams(ownWindow())}`);
        expect(reply.status).to.equal(200);
      }
      expect(await waitingLocks(blocker)).to.be.within(1, Math.max(1, Math.floor(half() / 2)));
      for (const { leave } of viewers) leave();
      await Promise.all(viewers.map(({ settled }) => settled));
      while ((await waitingLocks(blocker)) > 0) await sleep(20);
    });
  });

  it('a statement is cancelled when its client leaves, and its connection serves the next one', async () => {
    await locked(async (blocker) => {
      const read = abandonable(server, ownPath(), attacker);
      await awaitedLock(blocker);
      read.leave();
      expect(await read.settled).to.equal('abandoned');
      // The lock is still held.
      while ((await waitingLocks(blocker)) > 0) await sleep(20);
    });
    for (let times = 0; times < 10; times++)
      expect((await server.request(ownPath(), attacker)).status).to.equal(200);
  });

  it('keys and brands are looked up, and cached answers sent, while every connection for reads is in use', async () => {
    const cached = ownPath();
    expect((await server.request(cached, victim)).status).to.equal(200);
    const { client } = database.knex;
    const busy = await Promise.all(Array.from({ length: client.pool.max }, () => client.acquireConnection()));
    try {
      const statuses = async () =>
        Promise.all(
          [
            server.request('/api/v1/overview', 'svc_unknown'),
            server.request('/api/v1/overview?brand=unknown', victim),
            server.request(cached, victim),
          ].map(async (each) => (await each).status),
        );
      expect(await statuses()).to.deep.equal([401, 404, 200]);
      server.pass();
      expect(await statuses()).to.deep.equal([401, 404, 200]);
    } finally {
      for (const connection of busy) await client.releaseConnection(connection);
    }
  });
});
