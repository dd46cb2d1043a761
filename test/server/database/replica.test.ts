import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { tools } from '../../../src/contract/tools.js';
import { type Database, migrate, openDatabase } from '../../../src/server/database/database.js';
import { collectingLog } from '../../rules/support/collecting-log.js';
import { plainReads } from '../../rules/support/reads.js';
import { line, shipped } from '../../rules/support/shipping.js';
import { citusWorkers } from '../../support/citus.js';
import { createDatabaseUrl, serverUrl } from '../../support/database.js';
import { type ReplicatedServer, replicatedServer, replicationBinaries } from '../../support/replica.js';
import { type TestServer, testServer } from '../../support/server.js';
import { everyType } from '../intake/dataset/support/all-types.js';
import { NOW, runOf } from '../intake/dataset/support/load.js';
import { call, textOf } from '../web/mcp/support/rpc.js';

const PATHS = [
  ...plainReads.map((name) => `/api/v1/${name}?brand=b`),
  '/api/v1/metrics/history?brand=b&metric=visibility',
  '/api/v1/metrics/history?brand=b&metric=sentiment_index&days=56',
  '/api/v1/sources?brand=b&limit=1',
  '/api/v1/answers?brand=b&limit=1',
  '/api/v1/brands?limit=1',
];

describe('a replica', () => {
  let servers: ReplicatedServer;
  let url: string;
  let readUrl: string;
  let database: Database;
  let server: TestServer;
  let lines: string[];
  /** Statements that were sent to the replica, without those that begin and end transactions. */
  let sent: string[];

  before(async function () {
    if (!serverUrl || !replicationBinaries || citusWorkers.length > 0) return this.skip();
    servers = replicatedServer(replicationBinaries);
    url = await createDatabaseUrl(servers.primaryUrl);
    const replicaUrl = new URL(servers.replicaUrl);
    replicaUrl.pathname = new URL(url).pathname;
    readUrl = replicaUrl.toString();
    const loader = await openDatabase({ url });
    await migrate(loader.knex);
    const filling = await testServer({ now: NOW, database: loader });
    await filling.load(everyType);
    await filling.close();
    await loader.close();
    return undefined;
  });
  after(() => servers?.remove());
  beforeEach(async () => {
    servers.startReplica();
    await onReplica('select pg_wal_replay_resume()');
    await caughtUp();
    database = await openDatabase({ url, readUrl });
    sent = [];
    database.replica!.on('query', ({ sql }: { sql: string }) => {
      if (!/^(?:begin|commit|rollback)/i.test(sql)) sent.push(sql);
    });
    const collecting = collectingLog();
    lines = collecting.lines;
    const { log } = collecting;
    server = await testServer({ now: NOW, database, log, replicaTimes: { retryMs: 50, patienceMs: 50 } });
    sent.length = 0;
  });
  afterEach(async () => {
    await server.close();
    await database.close();
  });

  const onReplica = async (statement: string) => {
    const replica = await openDatabase({ url: readUrl });
    const { rows } = await replica.knex.raw(statement);
    await replica.close();
    return rows[0];
  };
  /** Waits until the replica has everything that the primary has written. */
  async function caughtUp(): Promise<void> {
    const primary = await openDatabase({ url });
    const { rows } = await primary.knex.raw('select pg_current_wal_lsn() as written');
    await primary.close();
    const reached = `select pg_last_wal_replay_lsn() >= '${rows[0].written}' as reached`;
    while (!(await onReplica(reached)).reached) await sleep(20);
  }
  /** The messages of the log, in order. */
  const messages = (): string[] => lines.map((line) => JSON.parse(line).msg);
  const until = async (message: string): Promise<void> => {
    for (let looks = 0; messages().at(-1) !== message && looks < 400; looks++) await sleep(25);
    expect(messages().at(-1), lines.join('')).to.equal(message);
  };
  const LEFT = 'replica left out: reads use the primary';
  const BACK = 'replica used again';

  let imports = 0;
  const importRun = async () => {
    await server.load([runOf(`more-${imports++}`)]);
  };
  const runsSeen = async () =>
    (await server.read<{ run_count: number }>('/api/v1/overview?brand=b')).run_count;

  it('answers every read and every tool as the primary does, byte for byte', async () => {
    const alone = await openDatabase({ url });
    const direct = await testServer({ now: NOW, database: alone });
    const toolNames = Object.keys(tools).filter((name) => name !== 'run_fact_check');
    for (const path of PATHS) {
      sent.length = 0;
      const [ours, theirs] = [await server.request(path), await direct.request(path)];
      expect([ours.status, await ours.text()], path).to.deep.equal([200, await theirs.text()]);
      if (!path.includes('fact-check')) expect(sent.length, path).to.be.above(1);
    }
    for (const name of toolNames) {
      const args = { brand_id: 'b', ...(name === 'get_metric_history' && { metric: 'visibility' }) };
      const given = name === 'list_brands' ? {} : args;
      expect(textOf(await call(server, name, given)), name).to.equal(textOf(await call(direct, name, given)));
    }
    expect(messages()).to.deep.equal([]);
    await direct.close();
    await alone.close();
  });

  it('computes the read, and the primary does everything else', async () => {
    await server.read('/api/v1/overview?brand=b');
    expect(sent[0]).to.match(/data_version/);
    expect(sent.some((sql) => sql.includes('day_entity'))).to.equal(true);
    expect(sent.join('\n')).not.to.match(/api_keys|rate_buckets|insert|update/);
    sent.length = 0;
    await server.read('/api/v1/fact-check?brand=b');
    await server.request('/readyz', null);
    expect(sent).to.deep.equal([]);
  });

  it('cancels the statement of a client that leaves, stays in use, and the primary does not repeat the read', async () => {
    const [primary, replica] = [await openDatabase({ url }), await openDatabase({ url: readUrl })];
    const waiting = async (): Promise<boolean> =>
      (await replica.knex.raw('select 1 from pg_locks where not granted')).rows.length > 0;
    const locked = `select 1 from pg_locks where mode = 'AccessExclusiveLock' and granted and relation is not null`;
    const repeated: string[] = [];
    database.knex.on('query', ({ sql }: { sql: string }) => repeated.push(sql));
    const blocking = await primary.knex.transaction();
    try {
      await blocking.raw('lock table tag_groups in access exclusive mode');
      while ((await replica.knex.raw(locked)).rows.length === 0) await sleep(20);
      const client = new AbortController();
      const read = server.request('/api/v1/prompts?brand=b&limit=7', undefined, { signal: client.signal });
      while (!(await waiting())) await sleep(20);
      client.abort();
      expect(await read.catch(({ name }: Error) => name)).to.equal('AbortError');
      while (await waiting()) await sleep(20);
    } finally {
      await blocking.rollback();
      await primary.close();
      await replica.close();
    }
    await server.read('/api/v1/prompts?brand=b&limit=8');
    expect(repeated).to.deep.equal([]);
    expect(messages()).to.deep.equal([]);
  });

  it('that lags never answers older than an import; it is left out, and used again when it has caught up', async () => {
    const runs = await runsSeen();
    await onReplica('select pg_wal_replay_pause()');
    await importRun();
    expect(await runsSeen()).to.equal(runs + 1);
    await until(LEFT);
    expect(lines.at(-1)).to.contain('lags');
    sent.length = 0;
    await importRun();
    expect(await runsSeen()).to.equal(runs + 2);
    expect(sent.filter((sql) => sql.includes('day_entity'))).to.deep.equal([]);
    await onReplica('select pg_wal_replay_resume()');
    await until(BACK);
    await importRun();
    await caughtUp();
    sent.length = 0;
    expect(await runsSeen()).to.equal(runs + 3);
    expect(sent.some((sql) => sql.includes('day_entity'))).to.equal(true);
    expect(messages()).to.deep.equal([LEFT, BACK]);
  });

  it('that lags answers neither older than a sent log, nor without a brand that is new', async () => {
    const hits = async () => {
      const { totals } = await server.read<{ totals: { hits: number } }>('/api/v1/crawlers?brand=b');
      return totals.hits;
    };
    const before = await hits();
    await onReplica('select pg_wal_replay_pause()');
    await shipped(server, line({ path: '/while-paused' }), { brand: 'b' });
    await server.load([{ type: 'brand', id: 'new', workspace: 'w', name: 'New', domain: '127.0.0.1' }]);
    expect(await hits()).to.equal(before + 1);
    expect((await server.read<{ brands: object[] }>('/api/v1/brands')).brands).to.have.length(2);
    expect(sent.join('\n')).to.match(/data_version/);
  });

  it('that ends costs no request, and is used again when it is back', async () => {
    await server.read('/api/v1/overview?brand=b');
    servers.stopReplica();
    const paths = ['prompts', 'sources', 'urls', 'answers'].map((name) => `/api/v1/${name}?brand=b`);
    const replies = await Promise.all(paths.map((path) => server.request(path)));
    expect(replies.map((reply) => reply.status)).to.deep.equal([200, 200, 200, 200]);
    await until(LEFT);
    servers.startReplica();
    await until(BACK);
    sent.length = 0;
    await server.read('/api/v1/competitors?brand=b');
    expect(sent.length).to.be.above(1);
    expect(messages()).to.deep.equal([LEFT, BACK]);
    expect(lines.join('')).not.to.contain('password');
  });

  it('a read that recovery cancels is computed by the primary, and the replica stays in use', async () => {
    const conflict = Object.assign(new Error('canceling statement due to conflict with recovery'), {
      code: '40001',
    });
    const { client } = database.replica!;
    const query = client._query;
    client._query = (connection: object, statement: { sql: string }) =>
      statement.sql.includes('day_entity')
        ? Promise.reject(conflict)
        : query.call(client, connection, statement);
    await server.read('/api/v1/overview?brand=b');
    client._query = query;
    expect(messages()).to.deep.equal([]);
  });

  it('as the only database, as after a failover, is 503 for what writes', async () => {
    const standby = await openDatabase({ url: readUrl });
    const lost = collectingLog();
    const alone = await testServer({
      now: NOW,
      database: standby,
      rateLimitStore: 'database',
      log: lost.log,
    });
    const reply = await alone.request('/api/v1/overview?brand=b');
    expect([reply.status, reply.headers.has('Retry-After')], lost.lines.join('')).to.deep.equal([503, true]);
    const log = await alone.request('/api/v1/crawler-events?brand=b', undefined, {
      method: 'POST',
      body: 'x',
    });
    expect(log.status, lost.lines.join('')).to.equal(503);
    await alone.close();
    await standby.close();
  });

  it('that is not there when the server starts is used when it is', async () => {
    servers.stopReplica();
    const late = collectingLog();
    const other = await openDatabase({ url, readUrl });
    const starting = await testServer({
      now: NOW,
      database: other,
      log: late.log,
      replicaTimes: { retryMs: 50, patienceMs: 50 },
    });
    await starting.read('/api/v1/overview?brand=b');
    servers.startReplica();
    for (let looks = 0; late.lines.length < 2 && looks < 400; looks++) await sleep(25);
    expect(late.lines.map((line) => JSON.parse(line).msg)).to.deep.equal([LEFT, BACK]);
    await starting.close();
    await other.close();
  });

  it('of another database is never read', async () => {
    const foreign = await openDatabase({ url: await createDatabaseUrl(servers.primaryUrl) });
    for (const prepare of [async () => {}, () => migrate(foreign.knex)]) {
      await prepare();
      const wrong = collectingLog();
      const mixed = { ...database, replica: foreign.knex };
      const confused = await testServer({ now: NOW, database: mixed, log: wrong.log });
      expect(wrong.lines.join('')).to.contain('another database');
      await confused.read('/api/v1/overview?brand=b');
      await confused.close();
    }
    await foreign.close();
  });
});
