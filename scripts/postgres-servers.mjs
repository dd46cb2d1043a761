/** Postgres servers in temporary folders, on sockets, for `with-postgres.mjs` and `with-citus.mjs`. */
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
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;

/** The folders with the programs of installed servers: below /usr/lib/postgresql, newest first, then those on PATH. */
export function installedServers() {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...onPath];
  return folders
    .filter((folder) => ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name))))
    .map((folder) => dirname(realpathSync(join(folder, 'initdb'))));
}

/** Runs a program of a server. A server refuses to run as root, so root runs it as another user. */
function run(bin, name, args) {
  const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const { status, stderr, error } = spawnSync(join(bin, name), args, {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${name} failed: ${error ?? stderr}`);
}

/**
 * Starts a server of the programs in `bin` with its data, log and socket in `folder`.
 * @param settings For its command line: what is lost in a crash and how many connections there are is set already.
 */
export function startServer(bin, folder, settings = {}) {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  if (asRoot) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  run(bin, 'initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const all = {
    listen_addresses: '',
    max_connections: 300,
    fsync: 'off',
    full_page_writes: 'off',
    ...settings,
  };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  const log = join(folder, 'log');
  run(bin, 'pg_ctl', ['-D', data, '-w', '-o', `${options.join(' ')} -k ${folder}`, '-l', log, 'start']);
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: () => run(bin, 'pg_ctl', ['-D', data, '-m', 'immediate', 'stop']),
  };
}

/** Runs `work` with a temporary folder that every user can enter, and removes the folder. */
export async function withFolder(prefix, work) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o755);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command with more variables, and returns its exit code. Signals go to the command. */
export function runCommand([command, ...args], variables) {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
