/**
 * Ships the log of a real nginx: requests, two rotations as logrotate does them (rename, then USR1), `svc ingest --follow`,
 * a server of this project. Exits 0 when every hit has arrived exactly once, or when nginx is not installed.
 *
 *     node scripts/ship-real-nginx.mjs
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const svc = join(root, 'bin', 'dev.js');
const OPERATOR_KEY = 'operator-key-of-a-real-nginx-run';
const ROUNDS = 3;
const HITS_A_ROUND = 200;
const agent = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';

const nginx = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);
if (nginx === undefined) {
  console.log('nginx is not installed: nothing to ship.');
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'));
const log = join(folder, 'access.log');
const env = {
  ...process.env,
  API_ACCESS_KEY: OPERATOR_KEY,
  SVC_API_KEY: OPERATOR_KEY,
  SVC_DATA_DIR: join(folder, 'data'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_STATE_HOME: join(folder, 'state'),
};
for (const name of ['DATABASE_URL', 'SVC_URL', 'SVC_BRAND', 'SVC_PROFILE']) delete env[name];
const children = [];

/** Starts a process; the promise settles with its exit code. */
function start(command, args) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const started = { child, ended, stdout: '' };
  child.stdout.on('data', (chunk) => {
    started.stdout += chunk;
  });
  children.push(started);
  return started;
}

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [svc, ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`svc ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

async function until(what, holds) {
  for (const end = Date.now() + 60_000; ; await sleep(100)) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.`);
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A foreground nginx that responds to every request and logs it in its default format. */
async function startNginx() {
  const port = await freePort();
  mkdirSync(join(folder, 'temp'));
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temp.map((name) => `${name}_temp_path ${join(folder, 'temp', name)};`).join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid() === 0 ? 'user root; ' : ''}daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')};
     events {}
     http { access_log ${log} combined; ${paths} server { listen 127.0.0.1:${port}; return 200 "ok"; } }`,
  );
  const started = start(nginx, [
    '-e',
    join(folder, 'error.log'),
    '-c',
    join(folder, 'nginx.conf'),
    '-p',
    folder,
  ]);
  const url = `http://127.0.0.1:${port}`;
  await until('nginx', () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  return { ...started, url };
}

async function visit(url, round) {
  for (let at = 0; at < HITS_A_ROUND; at += 20) {
    const paths = Array.from({ length: 20 }, (_, index) => `/round-${round}/page-${at + index}?q="é"`);
    const headers = { 'User-Agent': agent };
    await Promise.all(paths.map(async (path) => (await fetch(encodeURI(url + path), { headers })).text()));
    // Twice the same within a second: two hits, not one.
    await Promise.all(
      [1, 2].map(async () => (await fetch(`${url}/round-${round}/twice-${at}`, { headers })).text()),
    );
    await (await fetch(`${url}/person`)).text();
  }
}

const expected = ROUNDS * (HITS_A_ROUND + (HITS_A_ROUND / 20) * 2);

try {
  const dataset = join(folder, 'brand.ndjson');
  const records = [
    { type: 'workspace', id: 'ws', name: 'Workspace', plan: 'growth' },
    { type: 'brand', id: 'brand', workspace: 'ws', name: 'Brand', domain: 'brand.example' },
  ];
  writeFileSync(dataset, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  run('admin', 'migrate');
  run('admin', 'import', dataset);
  const server = start(process.execPath, [svc, 'serve', '--port', '0']);
  env.SVC_URL = await until('the server', () => /listening on (\S+)/.exec(server.stdout)?.[1]);
  const web = await startNginx();

  const shipping = start(process.execPath, [
    svc,
    'ingest',
    '--follow',
    '--from',
    'beginning',
    '--flush-every',
    '1',
    '--json',
    log,
  ]);
  for (let round = 1; round <= ROUNDS; round++) {
    await visit(web.url, round);
    if (round === ROUNDS) break;
    await until('the first batch', () => existsSync(join(folder, 'state', 'svc')));
    // Between the two nginx still writes to the renamed file.
    renameSync(log, `${log}.${ROUNDS - round}`);
    await visitBriefly(web.url, round);
    web.child.kill('SIGUSR1');
    await sleep(500);
  }
  const brief = ROUNDS - 1;
  await sleep(9000);
  shipping.child.kill('SIGTERM');
  const code = await shipping.ended;
  const summary = JSON.parse(shipping.stdout);
  const all = expected + brief;
  console.log(
    `${summary.lines} lines, ${summary.matched} hits sent, ${summary.inserted} stored, ${all} made`,
  );
  if (code !== 0 || summary.inserted !== all || summary.matched !== all)
    throw new Error(`Hits were lost or sent twice: exit ${code}, ${shipping.stdout}`);

  const files = Array.from({ length: ROUNDS - 1 }, (_, at) => `${log}.${at + 1}`);
  const again = JSON.parse(run('ingest', '--json', ...files, log));
  console.log(`again: ${again.matched} hits sent, ${again.inserted} stored`);
  if (again.inserted !== 0 || again.matched !== all) throw new Error('A second shipping changed the count.');
  console.log('Every hit arrived exactly once.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const { child } of children) if (child.exitCode === null) child.kill('SIGTERM');
  await Promise.all(children.map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
}

/** One hit after the log was renamed and before nginx reopened it. */
async function visitBriefly(url, round) {
  await (await fetch(`${url}/between-${round}`, { headers: { 'User-Agent': agent } })).text();
}
