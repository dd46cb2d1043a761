/**
 * Starts the Postgres servers of tests, each in a folder of its own on a socket. Works as root and as any other user:
 * Postgres refuses to run as root.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;

/**
 * The folder of an installed Postgres: POSTGRES_BIN, else the newest version below /usr/lib/postgresql, else that on PATH;
 * undefined: none.
 */
export function installedBinaries(names = ['initdb', 'pg_ctl']) {
  const given = process.env.POSTGRES_BIN;
  const onPath = (process.env.PATH ?? '').split(delimiter);
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = given ? [given] : [...versions.map((version) => join(debian, version, 'bin')), ...onPath];
  const found = folders.find((folder) => names.every((name) => existsSync(join(folder, name))));
  return found && dirname(realpathSync(join(found, names[0])));
}

/** Runs a program of Postgres to its end. */
export function run(bin, name, args) {
  const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const { status, stderr, error } = spawnSync(join(bin, name), args, {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${name} failed: ${error ?? stderr}`);
}

/** Makes a folder usable by the user that runs Postgres. */
export function openFolder(folder) {
  chmodSync(folder, 0o755);
  if (asRoot) chownSync(folder, NOBODY, NOBODY);
}

/** Creates an empty cluster in `data`. */
export const createCluster = (bin, data) =>
  run(bin, 'initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync']);

/** Starts the server of a cluster with a socket in `folder`. `stop` is as sudden as a crash. */
export function startCluster(bin, data, folder, settings = '') {
  const options = `-c listen_addresses= -c max_connections=300 -c fsync=off -c full_page_writes=off ${settings} -k ${folder}`;
  run(bin, 'pg_ctl', ['-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start']);
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;
  return { url, stop: () => run(bin, 'pg_ctl', ['-D', data, '-m', 'immediate', 'stop']) };
}
