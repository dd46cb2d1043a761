import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { saveProfile } from '../../../src/cli/connection/profiles.js';
import { headers } from '../../../src/contract/versions.js';
import { ruleServer } from '../../rules/support/rule-server.js';
import { certificate } from '../support/certificate.js';
import { migratedDatabase } from '../support/migrated-database.js';
import { type Environment, Home, svc } from '../support/run.js';

interface Found {
  readonly check: string;
  readonly status: string;
  readonly finding: string;
  readonly remedy: string | null;
}

/** The exit code and the checks, as JSON. */
async function doctor(args: readonly string[], env: Environment) {
  const { code, stdout } = await svc(['doctor', '--json', ...args], env);
  const { status, checks } = JSON.parse(stdout) as { status: string; checks: Found[] };
  return { code, status, checks, of: (name: string) => checks.filter(({ check }) => check === name) };
}

describe('svc doctor', () => {
  const server = ruleServer();
  const home = new Home();
  const others: Server[] = [];
  let env: Environment;
  before(async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    env = { ...home.env, SVC_URL: server.url, SVC_API_KEY: key };
  });
  after(() => home.remove());
  afterEach(() => {
    for (const other of others.splice(0)) other.close().closeAllConnections();
  });

  const started = (other: Server): Promise<number> => {
    others.push(other);
    return new Promise((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as AddressInfo).port)),
    );
  };
  const plain = async (answer: RequestListener) =>
    `http://127.0.0.1:${await started(createHttpServer(answer))}`;

  it('reports every part of a working connection, and never the key', async () => {
    const { code, checks, of } = await doctor([], env);
    expect(code).to.equal(0);
    expect(checks.map(({ check }) => check)).to.include.members([
      'profile',
      'address',
      'connection',
      'version',
      'clock',
      'api',
      'key',
      'rate limit',
      'brands',
      'robots',
    ]);
    expect(of('address')[0]!.finding).to.equal(`${server.url} (SVC_URL).`);
    expect(of('key')[0]).to.include({ status: 'ok', finding: 'A key of kind read from SVC_API_KEY.' });
    expect(of('rate limit')[0]!.finding).to.match(/^1\d\d of 120 tokens are left\.$/);
    expect(JSON.stringify(checks)).to.not.contain(env.SVC_API_KEY);
  });

  it('states a remedy with everything that is not ok, in text too', async () => {
    const { checks } = await doctor(['--url', 'http://127.0.0.1:9'], env);
    for (const { status, remedy } of checks) expect(remedy === null).to.equal(status === 'ok');
    const { code, stdout, stderr } = await svc(['doctor', '--url', 'http://127.0.0.1:9'], env);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^failure {2}connection .*ECONNREFUSED|^failure {2}connection /m);
    expect(stdout).to.contain('→ The address http://127.0.0.1:9 comes from --url.');
    expect(stderr).to.contain('1 failed');
  });

  it('reports brands without data, and a robots.txt that cannot be fetched', async () => {
    const { of } = await doctor([], env);
    const brand = (id: string) =>
      of('brands').find(({ finding }) => finding.startsWith(`Brand ${id} (${id})`));
    expect(brand('uncollected')!.finding).to.contain('no answer was ever collected');
    expect(brand('first')!.finding).to.match(/^Brand first \(first\): \d+ answers? in the last 7 days\.$/);
    expect(brand('foreign')).to.equal(undefined);
    expect(of('robots')[0]).to.include({ status: 'warning' });
  });

  it('names the place of a key that the server does not know', async () => {
    saveProfile(dirname(home.profilesFile), 'work', { url: server.url, key: 'svc_unknown' }, true);
    const { code, of } = await doctor([], home.env);
    expect(code).to.equal(1);
    expect(of('key')[0]!.finding).to.equal(
      'The server does not know the key (profile work, the current one).',
    );
    expect(of('key')[0]!.remedy).to.contain('svc login');
  });

  it('reports an expired key with its day', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read', expires: '2020-01-31' });
    const { code, of } = await doctor([], { ...env, SVC_API_KEY: key });
    expect(code).to.equal(1);
    expect(of('key')[0]!.finding).to.equal('This API key expired on 2020-01-31.');
  });

  it('checks what can be checked without a key, and with one that only ships logs', async () => {
    const { SVC_API_KEY: _, ...keyless } = env;
    const without = await doctor(['--profile', 'none'], keyless);
    expect(without.checks).to.have.length(1);
    const other = new Home();
    const missing = await doctor([], { ...other.env, SVC_URL: server.url });
    other.remove();
    expect([missing.code, missing.of('api')[0]!.status, missing.of('key')[0]!.status]).to.deep.equal([
      1,
      'ok',
      'failure',
    ]);
    const key = await server.key({ workspace: 'w', kind: 'ingest' });
    const ships = await doctor([], { ...env, SVC_API_KEY: key });
    expect([ships.code, ships.of('key')[0]!.status]).to.deep.equal([0, 'ok']);
  });

  it('warns of a file of keys that others may read', async function () {
    if (process.platform === 'win32') this.skip();
    chmodSync(home.profilesFile, 0o644);
    const { of } = await doctor([], env);
    chmodSync(home.profilesFile, 0o600);
    expect(of('profile')[0]).to.include({ status: 'warning', remedy: `chmod 600 ${home.profilesFile}` });
  });

  it('reports a brand of the settings that the key does not see', async () => {
    const { code, of } = await doctor([], { ...env, SVC_BRAND: 'nobody' });
    expect(code).to.equal(1);
    expect(of('brands')[0]!.finding).to.contain('nobody (SVC_BRAND)');
  });

  /** A server that answers as this one, but with these headers. */
  const behind = (changed: Record<string, string>) =>
    plain(async (request, response) => {
      const { authorization = '' } = request.headers;
      const answer = await fetch(server.url + request.url, { headers: { authorization } });
      const passed = [...answer.headers].filter(([name]) => /^(x-|content-type|date)/.test(name));
      response.writeHead(answer.status, { ...Object.fromEntries(passed), ...changed });
      response.end(await answer.text());
    });

  it('reports clocks that differ, and versions that differ', async () => {
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    const old = await behind({ date, [headers.version.toLowerCase()]: '2020-01-01' });
    const { of, code } = await doctor(['--url', old], env);
    expect(code).to.equal(0);
    expect(of('clock')[0]!.finding).to.match(/^The server's clock is (?:1 h|59 min.*) behind/);
    expect(of('version')[0]!.remedy).to.equal('Upgrade the server.');
    const newer = await behind({ [headers.version.toLowerCase()]: '2999-01-01' });
    expect((await doctor(['--url', newer], env)).of('version')[0]!.remedy).to.equal('Upgrade svc.');
  });

  it('reports an API without an operator key', async () => {
    const off = await plain((_, response) =>
      response
        .writeHead(503, { [headers.version]: '2026-11-22', 'Content-Type': 'application/json' })
        .end('{"error":"API disabled — set API_ACCESS_KEY","code":"api_disabled"}'),
    );
    const { code, of } = await doctor(['--url', off], env);
    expect([code, of('api')[0]!.remedy]).to.deep.equal([1, 'Start the server with API_ACCESS_KEY.']);
  });

  it('reports a redirect to another server, which gets no request', async () => {
    const redirecting = await plain((_, response) =>
      response.writeHead(301, { Location: 'https://svc.example/api/v1/brands' }).end(),
    );
    const { code, of } = await doctor(['--url', redirecting], env);
    expect(code).to.equal(1);
    expect(of('connection')[0]!.finding).to.contain('redirects to another server, https://svc.example');
    expect(of('connection')[0]!.remedy).to.contain('--url https://svc.example');
  });

  it('reports a certificate that is not trusted, before anything is sent', async () => {
    let requests = 0;
    const port = await started(createTlsServer(certificate, () => requests++));
    const { code, of } = await doctor(['--url', `https://localhost:${port}`], env);
    expect([code, requests]).to.deep.equal([1, 0]);
    expect(of('tls')[0]!.finding).to.contain('SELF_SIGNED');
    expect(of('tls')[0]!.remedy).to.contain('NODE_EXTRA_CA_CERTS');
  });

  it('refuses the flags of the database without --server', async () => {
    expect((await svc(['doctor', '--data-dir', '/nowhere'], env)).code).to.equal(2);
  });
});

describe('svc doctor --server', () => {
  const folders: string[] = [];
  const folder = () => {
    folders.push(mkdtempSync(join(tmpdir(), 'svc-doctor-')));
    return folders.at(-1)!;
  };
  after(() => {
    for (const each of folders) rmSync(each, { recursive: true, force: true });
  });
  const API_ACCESS_KEY = 'an-operator-key-that-is-long-enough';

  it('reports all faults of the settings', async () => {
    const { code, checks } = await doctor(['--server'], { API_ACCESS_KEY: 'short', PORT: 'http' });
    expect(code).to.equal(1);
    expect(checks.map(({ finding }) => finding.split(':')[0])).to.deep.equal(['API_ACCESS_KEY', 'PORT']);
    expect(JSON.stringify(checks)).to.not.contain('"short');
  });

  it('creates no database', async () => {
    const empty = folder();
    const { code, of } = await doctor(['--server', '--data-dir', join(empty, 'none')], { API_ACCESS_KEY });
    expect([code, of('database')[0]!.status]).to.deep.equal([0, 'warning']);
    expect(of('database')[0]!.finding).to.contain('There is no embedded database');
  });

  it('reports the database, its disk, schema, brands, keys and nightly work', async () => {
    const env = { API_ACCESS_KEY, PORT: '9', ...(await migratedDatabase(folder())) };
    const { code, checks, of } = await doctor(['--server'], env);
    expect(code).to.equal(0);
    expect(of('settings')[0]!.status).to.equal('ok');
    expect(of('database')[0]!.finding).to.match(/answers \(Postgres \d+/);
    expect(of('disk')[0]!.finding).to.match(/^The database has \d+/);
    expect(of('schema')[0]!.finding).to.contain('The schema is up to date');
    expect(of('brands')[0]).to.include({ status: 'warning' });
    expect(of('keys')[0]).to.include({ status: 'warning' });
    expect(of('nightly work')[0]).to.include({ status: 'ok' });
    expect(checks.map(({ check }) => check)).to.include('server');
  });

  it('reports a database that cannot be reached, without its password', async () => {
    const url = 'postgres://svc:hidden@127.0.0.1:1/svc';
    const { code, checks, of } = await doctor(['--server', '--database-url', url], { API_ACCESS_KEY });
    expect(code).to.equal(1);
    expect(of('database')[0]).to.include({ status: 'failure' });
    expect(JSON.stringify(checks)).to.not.contain('hidden');
  });
});
