import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDatabaseUrl, serverUrl } from '../../support/database.js';
import { type Environment, svc } from '../support/run.js';
import { serving } from '../support/serving.js';

const OPERATOR_KEY = 'an-operator-key-that-is-long-enough';

const get = (url: string, key: string) => fetch(url, { headers: { Authorization: `Bearer ${key}` } });

/** One sequence of tests on one database, because it takes seconds to make an embedded one. */
describe('svc serve', () => {
  let folder: string;
  let env: Environment;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-serve-'));
    const database: Environment = serverUrl ? { DATABASE_URL: await createDatabaseUrl(serverUrl) } : {};
    env = { SVC_DATA_DIR: folder, API_ACCESS_KEY: OPERATOR_KEY, ...database };
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('reports with --check that the database is empty and the API is off', async () => {
    const { API_ACCESS_KEY: _, ...keyless } = env;
    const { code, stdout } = await svc(['serve', '--check'], keyless);
    expect(code).to.equal(0);
    expect(stdout).to.contain('The database is empty').and.contain('API_ACCESS_KEY is not set');
  });

  it('is not made by a command that only reads it', async () => {
    if (serverUrl) return;
    const none = join(folder, 'none');
    const { stderr } = await svc(['admin', 'export', '--data-dir', none], env);
    expect(stderr).to.include('The database is empty');
    expect(readdirSync(folder)).to.not.include('none');
  });

  it('migrates, prints where everything is when it is ready, and exits with 0 on SIGTERM', async () => {
    const server = await serving(['serve', '--port', '0'], env);
    const response = await get(`${server.url}/api/v1/brands`, OPERATOR_KEY);
    expect([response.status, await response.json()]).to.deep.equal([
      404,
      { error: 'No brands exist', code: 'no_brands' },
    ]);
    expect(await server.stop()).to.equal(0);
    const [first, ...rest] = server.output().split('\n');
    expect(first).to.equal(`svc listening on ${server.url}`);
    expect(rest.join('\n').trimEnd()).to.equal(
      `
  page       ${server.url}/brands
  REST API   ${server.url}/api/v1
  docs       ${server.url}/docs
  MCP        ${server.url}/api/mcp
  log in     svc login --url ${server.url}
             (asks for a key of \`svc admin keys create\`, or for that of API_ACCESS_KEY)`,
    );
  });

  it('prints no more than works: no page with --page off, the public address where there is one', async () => {
    const server = await serving(['serve', '--port', '0', '--page', 'off'], {
      ...env,
      PUBLIC_URL: 'https://svc.example.com',
    });
    expect(await server.stop()).to.equal(0);
    expect(server.output())
      .to.include('svc login --url https://svc.example.com\n')
      .and.not.include('/brands');
    const { API_ACCESS_KEY: _, ...keyless } = env;
    const off = await serving(['serve', '--port', '0'], keyless);
    expect(await off.stop()).to.equal(0);
    expect(off.output().trimEnd()).to.equal(`svc listening on ${off.url}\n\n  docs       ${off.url}/docs`);
  });

  it('reports all faults of the environment at once, and exits with 2', async () => {
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

  it('reports with --check what will not work', async () => {
    const { code, stdout } = await svc(['serve', '--check'], env);
    expect(code).to.equal(0);
    const [settings, schema, ...rest] = stdout.trimEnd().split('\n');
    expect(settings).to.equal('The settings are fine and the database answers.');
    expect(schema).to.match(/^The schema is up to date \(\d+ migrations?, the last is .+\)\.$/);
    expect(rest).to.deep.equal([
      'No brand is stored: every read answers 404. `svc init` and `svc admin apply` add one (docs/first-page.md); `svc admin import` loads data.',
      'No brand’s answers come from other surfaces than in the week before.',
      'No stored key works: only the operator key does. `svc admin keys create` makes one.',
      'No nightly work is pending.',
      'No language model is configured: run_fact_check answers 501, all else works.',
    ]);
  });

  it('reports the address that it cannot listen on, and no error of the database', async () => {
    const hosts = [
      ['192.0.2.1', 'EADDRNOTAVAIL'],
      ['no-such-host.invalid', 'ENOTFOUND|EAI_AGAIN'],
    ] as const;
    for (const [host, code] of hosts) {
      const refused = await svc(['serve', '--host', host, '--port', '0'], env);
      expect(refused.code).to.equal(1);
      expect(refused.stderr)
        .to.match(new RegExp(`Cannot listen on ${host}: .*\\((?:${code})\\).*--host`))
        .and.not.contain('database cannot');
    }
  });

  it('reports in one line that the port is in use, and exits with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, stderr } = await svc(['serve', '--port', String(port)], env);
    other.close();
    expect(code).to.equal(1);
    expect(stderr).to.include(`Error: Port ${port} is in use. Choose another with --port.`);
  });
});
