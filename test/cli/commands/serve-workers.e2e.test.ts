import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createKey, revokeKey } from '../../../src/server/accounts/keys.js';
import { type Database, migrate, openDatabase } from '../../../src/server/database/database.js';
import { importDataset } from '../../../src/server/intake/dataset/import.js';
import { awaitedLock } from '../../rules/support/awaited-lock.js';
import { market, runOf } from '../../server/intake/dataset/support/load.js';
import { createDatabaseUrl, serverUrl } from '../../support/database.js';
import { bytesOf } from '../../support/server.js';
import { type Environment, Home, piped, start, svc } from '../support/run.js';

const OPERATOR_KEY = 'an-operator-key-that-is-long-enough';
const WORKERS = 2;

describe('svc serve --workers', () => {
  const home = new Home();
  let env: Environment = { API_ACCESS_KEY: OPERATOR_KEY, SVC_DATA_DIR: home.folder };
  after(() => home.remove());

  it('is refused on the embedded database, with several buckets in memory, and beyond the limit', async () => {
    const url = 'postgres://127.0.0.1:1/svc';
    for (const [args, more, message] of [
      [['--workers', '2'], { DATABASE_URL: '' }, /WORKERS: expected 1 without DATABASE_URL.*got 2/],
      [[], { DATABASE_URL: '', WORKERS: '3' }, /WORKERS: expected 1 without DATABASE_URL.*got 3/],
      [['--workers', '2', '--data-dir', home.folder], { DATABASE_URL: url }, /WORKERS: expected 1 without/],
      [
        ['--workers', '2'],
        { DATABASE_URL: url, RATE_LIMIT_STORE: 'memory' },
        /RATE_LIMIT_STORE: expected database/,
      ],
      [[], { DATABASE_URL: url, WORKERS: '65' }, /WORKERS: expected a number of processes, 1 to 64/],
      [['--workers', '0'], { DATABASE_URL: url }, /workers/],
      [[], { DATABASE_URL: '', DATABASE_READ_URL: url }, /DATABASE_READ_URL: expected DATABASE_URL too/],
    ] as const) {
      const refused = await svc(['serve', ...args], { ...env, ...more });
      expect([refused.code, refused.stderr.replaceAll(/\s+/g, ' ')], args.join(' ')).to.satisfy(
        ([code, stderr]: [number, string]) => code === 2 && message.test(stderr),
        refused.stderr,
      );
    }
  });

  describe('on a Postgres server', () => {
    let url: string;
    let database: Database;
    before(async function () {
      if (!serverUrl) return this.skip();
      url = await createDatabaseUrl(serverUrl);
      env = { ...env, DATABASE_URL: url };
      database = await openDatabase({ url });
      await migrate(database.knex);
      await load(...market, runOf('first'));
      return undefined;
    });
    after(() => database?.close());

    const load = (...records: object[]) =>
      importDataset(database.knex, bytesOf(records), { now: new Date() });

    interface Event {
      readonly msg: string;
      readonly worker: number;
      readonly pid: number;
    }

    /** Starts a server; `log` has the parsed lines of its standard error. */
    async function serving(more: Environment = {}) {
      const args = ['serve', '--workers', String(WORKERS), '--port', '0'];
      const child: ChildProcess = start(args, { ...env, ...more });
      const output: string[] = [];
      const log: Event[] = [];
      createInterface({ input: child.stderr! }).on('line', (line) => log.push(JSON.parse(line)));
      const lines = createInterface({ input: child.stdout! });
      const ready = once(lines, 'line');
      lines.on('line', (line) => output.push(line));
      const ended = once(child, 'close').then(([code]) => code as number);
      const [line] = (await ready) as [string];
      const logged = (msg: string) => log.filter((event) => event.msg === msg);
      return {
        /** A GET on a connection of its own: connections go to the workers in turn. */
        get: (path: string, key = OPERATOR_KEY) =>
          request(line.slice('svc listening on '.length) + path, key),
        output,
        logged,
        until: async (msg: string, times: number) => {
          while (logged(msg).length < times) await sleep(20);
        },
        stop: (signal: NodeJS.Signals = 'SIGTERM') => {
          child.kill(signal);
          return ended;
        },
      };
    }

    async function request(target: string, key: string) {
      const sent = get(target, { agent: false, headers: { Authorization: `Bearer ${key}` } });
      const [response] = await once(sent, 'response');
      return { status: response.statusCode as number, headers: response.headers, body: await text(response) };
    }

    /** The statuses of requests on connections of their own, so that every worker gets some. */
    const statuses = async (server: Awaited<ReturnType<typeof serving>>, path: string, key?: string) => {
      const replies = await Promise.all(Array.from({ length: 6 }, () => server.get(path, key)));
      return [...new Set(replies.map((reply) => reply.status))];
    };

    /** One sequence of tests on one server, because its three processes take seconds to start. */
    describe('that runs', () => {
      let server: Awaited<ReturnType<typeof serving>>;
      before(async () => {
        server = await serving({ ADMIN_PORT: '0' });
      });
      after(() => server?.stop('SIGKILL'));

      it('prints where it listens once, shares buckets, shows new data and refuses a revoked key within a second', async () => {
        expect(server.output.filter((line) => line.startsWith('svc listening on '))).to.have.length(1);
        expect(server.logged('worker started').map(({ worker }) => worker)).to.deep.equal([1, 2]);
        const { id, key } = await createKey(database.knex, { workspace: 'w', kind: 'read' }, new Date());
        const replies = await Promise.all(
          Array.from({ length: 6 }, () => server.get('/api/v1/overview?brand=b', key)),
        );
        const left = replies.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
        expect(new Set(left).size, left.join()).to.equal(6);
        const before = replies.map(({ body }) => body);
        expect(new Set(before).size).to.equal(1);
        await load(runOf('second', { collected_at: new Date().toISOString() }));
        await sleep(1100);
        for (let sent = 0; sent < 6; sent++)
          expect((await server.get('/api/v1/answers?brand=b', key)).body).to.contain('second');
        await revokeKey(database.knex, { id, now: new Date() });
        await sleep(1100);
        expect(await statuses(server, '/api/v1/overview?brand=b', key)).to.deep.equal([401]);
      });

      it('adds up the metrics of all workers on the port of the primary process', async () => {
        for (let sent = 0; sent < 6; sent++) await server.get('/livez');
        const [{ url: metrics }] = server.logged('metrics are served') as unknown as [{ url: string }];
        const text = await (await fetch(metrics)).text();
        expect(text).to.contain('svc_http_requests_total{method="GET",route="/livez",status="200"} 6\n');
        expect(text).to.match(/^svc_build_info\{api_version="[\d-]+"\} 1$/m);
        await sleep(200);
        expect(await (await fetch(metrics)).text()).to.contain(
          'svc_nightly_duration_seconds{task="daily_stats"}',
        );
        const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
        expect(types).to.deep.equal([...new Set(types)]);
      });

      it('a worker that is killed is started again; the others answer meanwhile', async () => {
        const { pid, worker } = server.logged('worker started')[0]!;
        process.kill(pid, 'SIGKILL');
        await server.until('worker ended; it is started again', 1);
        expect(await statuses(server, '/api/v1/brands')).to.deep.equal([200]);
        await server.until('worker started', 3);
        expect(server.logged('worker started')[2]!.worker).to.equal(worker);
        expect(await statuses(server, '/api/v1/brands')).to.deep.equal([200]);
      });

      it('finishes running requests after a signal, and leaves no process', async () => {
        const blocking = await database.knex.transaction();
        await blocking.raw('lock table tag_groups in access exclusive mode');
        const waiting = server.get('/api/v1/prompts?brand=b&limit=3');
        await awaitedLock(database);
        const stopped = server.stop();
        await sleep(200);
        await blocking.rollback();
        expect((await waiting).status).to.equal(200);
        expect(await stopped).to.equal(0);
        expect(server.logged('worker stopped')).to.have.length(WORKERS);
        expect(server.output.filter((line) => line.startsWith('svc listening on '))).to.have.length(1);
        for (const { pid } of server.logged('worker started'))
          expect(() => process.kill(pid, 0)).to.throw('ESRCH');
      });
    });

    it('workers end with their primary process', async () => {
      const server = await serving();
      await server.stop('SIGKILL');
      const alive = (pid: number): boolean => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      };
      for (const { pid } of server.logged('worker started')) {
        for (let looks = 0; alive(pid) && looks < 400; looks++) await sleep(25);
        expect(alive(pid)).to.equal(false);
      }
    });

    it('a worker that ends at its start ends the server with an error', async () => {
      const dying = 'data:text/javascript,if(process.env.SVC_WORKER==2)process.exit(3)';
      const { code, stdout, stderr } = await piped(
        ['serve', '--workers', '2', '--port', '0'],
        { ...env, NODE_OPTIONS: `--import ${dying}`, LOG_LEVEL: 'silent' },
        '',
      );
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.contain('Worker 2 ended before the server listened (exit code 3).');
    });
  });
});
