import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { connectTo, Lines } from '../../../src/server/database/folder-socket.js';
import { loopbackEngine } from '../../collect/support/engine.js';
import { serverUrl } from '../../support/database.js';
import { migratedDatabase } from '../support/migrated-database.js';
import { type Environment, piped, type Ran, start } from '../support/run.js';
import { serving } from '../support/serving.js';

const OPERATOR_KEY = 'an-operator-key-that-is-long-enough';
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const MONTH = new Date(DAY).toLocaleString('en', { month: 'short', timeZone: 'UTC' });

const lines = (values: Iterable<object>) => [...values].map((value) => `${JSON.stringify(value)}\n`).join('');
const catalog = [
  { type: 'workspace', id: 'acme', name: 'Acme', plan: 'growth' },
  { type: 'brand', id: 'shoes', workspace: 'acme', name: 'Fleetfoot', domain: 'fleetfoot.example' },
  { type: 'prompt', id: 'p1', brand: 'shoes', text: 'Which shoes last?' },
  { type: 'prompt', id: 'p2', brand: 'shoes', text: 'Which shoes are wide?' },
];
const runs = (count: number, prefix = 'r') =>
  Array.from({ length: count }, (_, n) => ({
    type: 'run',
    id: `${prefix}${n}`,
    brand: 'shoes',
    prompt: 'p1',
    engine: 'chatgpt',
    region: 'us',
    collected_at: `${DAY}T10:00:00Z`,
    mentions: [{ name: 'Fleetfoot', order: 1 }],
    citations: [{ url: `https://fleetfoot.example/${n}` }],
  }));

/** Real processes: a server on an embedded database, and commands on the same folder. */
describe('svc beside a server on an embedded database', () => {
  /** A database with the catalog, which each test copies. */
  let filled: string;
  let folder: string;
  let data: string;
  let env: Environment;
  let server: Awaited<ReturnType<typeof serving>>;
  const started: ChildProcess[] = [];
  const serve = async () => {
    server = await serving(['serve', '--port', '0'], env);
  };
  const command = (...args: string[]): Promise<Ran> => piped(args, env, '');
  const importing = (text: string): Promise<Ran> => piped(['admin', 'import', '-'], env, text);
  const overview = async () => {
    const response = await fetch(`${server.url}/api/v1/overview?brand=shoes&days=7`, {
      headers: { Authorization: `Bearer ${OPERATOR_KEY}` },
    });
    return { status: response.status, body: (await response.json()) as { run_count?: number } };
  };
  const runCount = async () => {
    const { status, body } = await overview();
    return body.run_count ?? `${status} ${JSON.stringify(body)}`;
  };
  const copies = () => readdirSync(data).filter((name) => name.startsWith('postgres.'));
  /** The server deletes a copy after the process that used it has ended. */
  const copiesDeleted = async () => {
    while (copies().length > 0) await setTimeout(20);
  };
  const logLines = (count: number) =>
    Array.from(
      { length: count },
      (_, at) =>
        `192.0.2.1 - - [${DAY.slice(8)}/${MONTH}/${DAY.slice(0, 4)}:10:00:00 +0000] "GET /${at} HTTP/1.1" 200 1 "-" "GPTBot/1.1"\n`,
    ).join('');
  const ending = (child: ChildProcess) => {
    started.push(child);
    child.stdin!.on('error', () => undefined);
    return Promise.all([once(child, 'close'), collected(child)]).then(([[code], output]) => ({
      code: code as number | null,
      ...output,
    }));
  };
  /** An import that stands still when a copy is made for it, until it is continued. */
  const stoppedImport = async (text: string) => {
    const child = start(['admin', 'import', '-'], env);
    const ended = ending(child);
    child.stdin!.end(text);
    while (copies().length === 0) await setTimeout(20);
    child.kill('SIGSTOP');
    return { child, ended };
  };
  /** A command that waits with its change for the import. The copy is made first, and changes that come before its end are stored. */
  const waitingChange = async () => {
    for (;;) {
      const child = start(['admin', 'keys', 'create', '--workspace', 'acme', '--kind', 'read'], env);
      started.push(child);
      const ended = once(child, 'close');
      const [line] = (await once(createInterface({ input: child.stderr! }), 'line')) as [string];
      if (line === 'Waiting for another command to end.') return { ended };
      await ended;
    }
  };
  const collected = async (child: ChildProcess) => {
    const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    return { stdout, stderr };
  };

  before(async function () {
    if (serverUrl || process.platform === 'win32') this.skip();
    filled = mkdtempSync(join(tmpdir(), 'svc-filled-'));
    env = await migratedDatabase(filled);
    expect(await importing(lines(catalog))).to.deep.include({ code: 0, stderr: '' });
  });
  after(() => filled && rmSync(filled, { recursive: true, force: true }));
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-beside-'));
    data = join(folder, 'data');
    cpSync(filled, folder, { recursive: true });
    env = { API_ACCESS_KEY: OPERATOR_KEY, LOG_LEVEL: 'error', SVC_DATA_DIR: folder };
    await serve();
  });
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    await server?.stop('SIGKILL');
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('makes keys, lists and archives brands, imports and exports, and the server shows it at once', async () => {
    const imported = await importing(lines([...catalog, ...runs(20)]));
    expect(imported.stderr).to.equal('');
    expect(imported.stdout).to.include('24 lines imported');
    expect(await runCount()).to.equal(20);
    const made = await command('admin', 'keys', 'create', '--workspace', 'acme', '--kind', 'read', '--json');
    const { key } = JSON.parse(made.stdout);
    const read = await fetch(`${server.url}/api/v1/overview?brand=shoes`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(read.status).to.equal(200);
    expect((await command('admin', 'brands', 'list')).stdout).to.match(/^acme +shoes/m);
    const beside = await command('admin', 'export');
    expect((await command('admin', 'brands', 'archive', 'shoes')).code).to.equal(0);
    expect((await command('doctor', '--server')).stdout)
      .to.include('1 brand')
      // Its own address, not that of PORT, where another program may answer.
      .and.include(`A server answers on ${server.url}.`);
    expect(copies()).to.deep.equal([]);
    await server.stop();
    const alone = await command('admin', 'export');
    expect(alone.stdout.replace(/,"archived_at":"[^"]+"/, '')).to.equal(beside.stdout);
  });

  it('applies a catalog, and its changes, and the server shows them at once', async () => {
    await importing(lines([...catalog, ...runs(1)]));
    const plan = join(folder, 'svc.toml');
    const brand = '[brand]\nid = "shoes"\nname = "Fleetfoot"\ndomain = "fleetfoot.example"\n';
    const prompt = (text: string, more = '') => `[[prompt]]\ntext = "${text}"\n${more}`;
    writeFileSync(plan, `${brand}${prompt('Which shoes last?')}${prompt('Which shoes are light?')}`);
    const applied = await command('admin', 'apply', plan, '--yes');
    expect(applied).to.include({ code: 0 });
    expect(applied.stderr).to.include('Written.');
    const renamed = prompt('Which shoes are lightest?', 'was = "Which shoes are light?"\n');
    writeFileSync(plan, `${brand}${prompt('Which shoes last?')}${renamed}`);
    expect(await command('admin', 'apply', plan, '--yes')).to.include({ code: 0 });
    const response = await fetch(`${server.url}/api/v1/prompts?brand=shoes`, {
      headers: { Authorization: `Bearer ${OPERATOR_KEY}` },
    });
    expect(await response.text())
      .to.include('Which shoes are lightest?')
      .and.not.include('Which shoes are light?');
    expect(await command('admin', 'apply', plan)).to.include({ code: 0 });
  });

  it('runs several commands at the same time', async () => {
    const create = () => command('admin', 'keys', 'create', '--workspace', 'acme', '--kind', 'read');
    const all = await Promise.all([
      create(),
      importing(lines(runs(5, 'a'))),
      create(),
      importing(lines(runs(5, 'b'))),
      command('admin', 'rollup'),
      command('admin', 'brands', 'list'),
    ]);
    expect(
      all.map(({ code, stderr }) => [code, stderr.replace(/(?:Waiting for|A read key of) .*\n/g, '')]),
    ).to.deep.equal(all.map(() => [0, '']));
    expect(await runCount()).to.equal(10);
    expect(JSON.parse((await command('admin', 'keys', 'list', '--json')).stdout).keys).to.have.length(2);
  });

  it('answers reads during an import from the data before it, and lets changes wait until it ends', async () => {
    await importing(lines([...catalog, ...runs(3)]));
    const { child, ended } = await stoppedImport(lines(runs(100, 'more')));
    expect(await runCount()).to.equal(3);
    expect((await command('admin', 'brands', 'list')).stdout).to.include('shoes');
    const shipping = ['ingest', '--url', server.url, '--brand', 'shoes', '--batch-bytes', '1000', '--json'];
    const shipped = piped(shipping, { ...env, SVC_API_KEY: OPERATOR_KEY }, logLines(100));
    const key = await waitingChange();
    child.kill('SIGCONT');
    expect(await ended).to.deep.include({ code: 0, stderr: '' });
    expect((await key.ended)[0]).to.equal(0);
    expect(await runCount()).to.equal(103);
    const { code, stdout } = await shipped;
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.include({ inserted: 100 });
  });

  it('lets nobody wait for a pipe that is slow', async () => {
    const child = start(['admin', 'import', '-'], env);
    const ended = ending(child);
    // More than a pipe holds: the command reads.
    if (!child.stdin!.write(lines(runs(3000)))) await once(child.stdin!, 'drain');
    const made = await command('admin', 'keys', 'create', '--workspace', 'acme', '--kind', 'read');
    expect(made.stderr).not.to.include('Waiting');
    expect(made.code).to.equal(0);
    expect(copies()).to.deep.equal([]);
    child.stdin!.end(lines(runs(1, 'last')));
    expect(await ended).to.deep.include({ code: 0, stderr: '' });
    expect(await runCount()).to.equal(3001);
  });

  it('ends an import whose copy finds no space on the disk, with the folder and its free space', async () => {
    const long = runs(4000).map((run) => ({ ...run, answer: randomBytes(4500).toString('base64') }));
    const full = { ...env, NODE_OPTIONS: `--import ${new URL('../support/full-disk.mjs', import.meta.url)}` };
    const { code, stderr } = await piped(['admin', 'import', '-'], full, lines(long));
    expect(stderr.replace(/\s+/g, ' '))
      .to.include(`No space is left on the disk of the embedded database in ${data}.`)
      .and.match(/Its disk has [\d.]+ [MG]iB free\. /);
    expect(code).to.equal(7);
    await copiesDeleted();
    expect((await importing(lines(runs(2)))).code).to.equal(0);
    expect(await runCount()).to.equal(2);
  });

  for (const signal of ['SIGKILL', 'SIGINT'] as const)
    it(`stores nothing of an import that ${signal} ends`, async () => {
      const { child, ended } = await stoppedImport(lines(runs(6000)));
      child.kill(signal);
      child.kill('SIGCONT');
      await ended;
      const made = await command('admin', 'keys', 'create', '--workspace', 'acme', '--kind', 'read');
      expect(made.code).to.equal(0);
      await copiesDeleted();
      expect((await command('admin', 'export')).stdout).not.to.include('"type":"run"');
    });

  it('stores nothing of an import whose server is killed, says so, and the next server starts', async () => {
    await importing(lines([...catalog, ...runs(1)]));
    const { child, ended } = await stoppedImport(lines(runs(200)));
    await server.stop('SIGKILL');
    child.kill('SIGCONT');
    const { code, stderr } = await ended;
    expect(code).to.equal(7);
    expect(stderr.replace(/\s+/g, ' ')).to.match(
      /The server of process \d+, .* has ended\. Nothing of this command is stored\./,
    );
    expect(existsSync(join(data, 'svc.socket'))).to.equal(true);
    await serve();
    expect(copies()).to.deep.equal([]);
    expect(await runCount()).to.equal(1);
    expect((await importing(lines(runs(4)))).code).to.equal(0);
    expect(await runCount()).to.equal(4);
  });

  it('collects', async () => {
    const engine = await loopbackEngine();
    try {
      writeFileSync(
        join(folder, 'collect.toml'),
        `[[target]]\nengine = "perplexity"\nprotocol = "openai-responses"\nbase_url = "${engine.base('openai-responses')}"
model = "sonar"\nsearch = true\nregion = "us"\nkey_env = "TEST_KEY"\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 10
call_usd = 0.01\n`,
      );
      const collect = [
        'collect',
        '--plan',
        join(folder, 'collect.toml'),
        '--brand',
        'shoes',
        '--yes',
        '--json',
      ];
      const ran = await piped(collect, { ...env, TEST_KEY: 'sk-of-the-test', XDG_STATE_HOME: folder }, '');
      expect(ran.stderr).to.equal('');
      expect(JSON.parse(ran.stdout)).to.deep.include({ imported: true });
      expect(await runCount()).to.equal(2);
    } finally {
      await engine.close();
    }
  });

  it('refuses a command of another version, and names both', async () => {
    const socket = (await connectTo(data))!;
    const other = new Lines(socket);
    other.send({ version: '0.0.1', use: 'session' });
    const greeting = (await other.next())!;
    socket.destroy();
    expect(greeting.refused).to.include('this command is svc 0.0.1');
    expect(greeting.refused).to.include(`is svc ${greeting.version}, `);
    expect(greeting.version)
      .to.match(/^\d+\.\d+\.\d+/)
      .and.not.equal('0.0.1');
  });

  it('listens for nobody but the owner of the folder', () => {
    expect(statSync(join(data, 'svc.socket')).mode & 0o777).to.equal(0o600);
  });

  it('leaves no socket that a command waits for', async () => {
    await server.stop();
    expect(existsSync(join(data, 'svc.socket'))).to.equal(false);
    const { code } = await command('admin', 'brands', 'list');
    expect(code).to.equal(0);
  });

  it('serves on although something else sends bytes', async () => {
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '{}\n', '[]\n', '\0'.repeat(100_000), '{"version":1}\n']) {
      const socket = createConnection(join(data, 'svc.socket'));
      socket.on('error', () => undefined);
      socket.end(bytes);
      socket.resume();
      await once(socket, 'close');
    }
    expect((await overview()).status).to.equal(404);
    expect((await command('admin', 'brands', 'list')).code).to.equal(0);
  });

  it('works in a folder whose path is too long for a socket', async () => {
    await server.stop();
    const long = join(folder, 'x'.repeat(120));
    mkdirSync(long);
    env = { ...env, ...(await migratedDatabase(long)) };
    await serve();
    expect((await importing(lines(catalog))).stderr).to.equal('');
    expect((await command('admin', 'brands', 'list')).stdout).to.include('shoes');
    expect(existsSync(join(long, 'data', 'svc.socket'))).to.equal(false);
  });
});
