import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { createDatabaseUrl, serverUrl } from '../../support/database.js';
import { type Environment, Home, start, svc } from '../support/run.js';

const OPERATOR_KEY = 'an-operator-key-that-is-long-enough';

/** Starts a serving command and waits for its line; `stop` sends a signal and gives the exit code. */
async function serving(args: string[], env: Environment) {
  const child = start(args, env);
  const output: string[] = [];
  const ended = once(child, 'close').then(([code]) => code as number);
  const lines = createInterface({ input: child.stdout! });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      output.push(line);
      if (line.startsWith('svc listening on ')) resolve(line.slice('svc listening on '.length));
    });
    void ended.then((code) => reject(new Error(`exit ${code}: ${output.join('\n')}`)));
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return { url, stop, output: () => output.join('\n') };
}

const get = (url: string, key: string) => fetch(url, { headers: { Authorization: `Bearer ${key}` } });

describe('svc serve', function () {
  this.timeout(60_000);
  let folder: string;
  let env: Environment;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-serve-'));
    const database: Environment = serverUrl ? { DATABASE_URL: await createDatabaseUrl(serverUrl) } : {};
    env = { SVC_DATA_DIR: folder, API_ACCESS_KEY: OPERATOR_KEY, ...database };
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('migrates, prints one line when it answers, and ends with 0 on SIGTERM', async () => {
    const server = await serving(['serve', '--port', '0'], env);
    const response = await get(`${server.url}/api/v1/brands`, OPERATOR_KEY);
    expect([response.status, await response.json()]).to.deep.equal([404, { error: 'No brands exist' }]);
    expect(await server.stop()).to.equal(0);
    expect(server.output()).to.equal(`svc listening on ${server.url}`);
  });

  it('reports all faults of the environment at once, and exits 2', async () => {
    const { code, stderr } = await svc(['serve'], {
      API_ACCESS_KEY: 'short',
      PORT: 'http',
      DATABASE_URL: 'mysql://x',
    });
    expect(code).to.equal(2);
    expect(stderr).to.include('API_ACCESS_KEY: ').and.include('PORT: ').and.include('DATABASE_URL: ');
    expect(stderr).not.to.include('short');
  });

  it('masks secrets in --print-config', async () => {
    const { stdout } = await svc(['serve', '--print-config'], {
      API_ACCESS_KEY: OPERATOR_KEY,
      DATABASE_URL: 'postgres://user:hidden@db.example/svc',
    });
    expect(stdout).not.to.include(OPERATOR_KEY).and.not.to.include('hidden');
    expect(JSON.parse(stdout)).to.include({ operatorKey: '(set)', port: 8080 });
  });

  it('only checks, with --check', async () => {
    const { code, stdout } = await svc(['serve', '--check'], env);
    expect([code, stdout]).to.deep.equal([0, 'The settings are fine and the database answers.\n']);
  });

  it('says in one line that the port is in use, and exits 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, stderr } = await svc(['serve', '--port', String(port)], env);
    other.close();
    expect(code).to.equal(1);
    expect(stderr).to.include(`Error: Port ${port} is in use. Choose another with --port.`);
  });
});

describe('svc demo', function () {
  this.timeout(90_000);
  let folder: string;
  let home: Home;
  let env: Environment;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-demo-'));
    home = new Home();
    env = { ...home.env, SVC_DATA_DIR: folder };
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
    home.remove();
  });

  it('serves made-up data and stores its key as a profile, so that a command works at once', async () => {
    const server = await serving(['demo', '--port', '0'], env);
    const overview = await svc(['overview', '--json'], env);
    expect(overview.code, overview.stderr).to.equal(0);
    expect(JSON.parse(overview.stdout).run_count).to.be.above(100);
    expect(await server.stop('SIGINT')).to.equal(0);
  });

  it('prints the same key at the next start, at which nothing is loaded again', async () => {
    const keyIn = (text: string) => /svc_[0-9A-Za-z]{43}/.exec(text)?.[0];
    const server = await serving(['demo', '--port', '0'], env);
    const listed = JSON.parse((await svc(['whoami', '--json'], env)).stdout);
    expect(await server.stop()).to.equal(0);
    expect(listed).to.include({ profile: 'demo', key_kind: 'full', server: server.url });
    const again = await serving(['demo', '--port', '0'], env);
    expect(await again.stop()).to.equal(0);
    expect(keyIn(again.output())).to.equal(keyIn(server.output()));
  });

  it('resets no folder that it did not make', async () => {
    const foreign = mkdtempSync(join(tmpdir(), 'svc-foreign-'));
    const { mkdirSync, writeFileSync, existsSync } = await import('node:fs');
    mkdirSync(join(foreign, 'demo'));
    writeFileSync(join(foreign, 'demo', 'precious'), 'kept');
    const { code, stderr } = await svc(['demo', '--reset', '--port', '0'], { ...env, SVC_DATA_DIR: foreign });
    expect(code).to.equal(1);
    expect(stderr).to.include('was not made by the demo');
    expect(existsSync(join(foreign, 'demo', 'precious'))).to.equal(true);
    rmSync(foreign, { recursive: true });
  });
});
