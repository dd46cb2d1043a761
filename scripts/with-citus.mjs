/**
 * Runs a command on a Citus cluster started for it, a coordinator and two workers in a temporary folder on sockets:
 * `node scripts/with-citus.mjs COMMAND …`. DATABASE_URL and TEST_DATABASE_URL name the coordinator, whose database knows
 * its workers. TEST_CITUS_WORKERS names the workers, so that tests can make further databases on all three. Needs an
 * installed Postgres with Citus; exits 77, as test programs do that cannot run here, where none is found.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { installedServers, runCommand, startServer, withFolder } from './postgres-servers.mjs';

const NOT_INSTALLED = 77;
const PORT = 5432;

/** Every database with Citus takes a background worker on each node, and tests make many databases. */
const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_worker_processes: 200,
  max_prepared_transactions: 600,
};

const hasCitus = (bin) => {
  const { stdout, status } = spawnSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' });
  return status === 0 && existsSync(join(stdout.trim(), 'extension', 'citus.control'));
};

async function query(url, ...statements) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A node is known by the folder of its socket. */
const hostOf = ({ url }) => new URL(url).searchParams.get('host');

async function connect(coordinator, workers) {
  for (const { url } of [coordinator, ...workers]) await query(url, 'create extension citus');
  await query(
    coordinator.url,
    `select citus_set_coordinator_host('${hostOf(coordinator)}', ${PORT})`,
    ...workers.map((worker) => `select citus_add_node('${hostOf(worker)}', ${PORT})`),
  );
}

function main(command) {
  const bin = installedServers().find(hasCitus);
  if (!bin) {
    console.error(
      'No Citus was found: no installed Postgres has citus.control in `pg_config --sharedir`/extension. Install Citus 13 or 14 for it.',
    );
    return NOT_INSTALLED;
  }
  return withFolder('svc-citus-', async (folder) => {
    const servers = [];
    try {
      for (const name of ['coordinator', 'worker-1', 'worker-2']) {
        const host = join(folder, name);
        servers.push(startServer(bin, host, { ...SETTINGS, 'citus.local_hostname': host }));
      }
      const [coordinator, ...workers] = servers;
      await connect(coordinator, workers);
      return await runCommand(command, {
        DATABASE_URL: coordinator.url,
        TEST_DATABASE_URL: coordinator.url,
        TEST_CITUS_WORKERS: workers.map(({ url }) => url).join(' '),
      });
    } finally {
      for (const server of servers) server.stop();
    }
  });
}

process.exitCode = await main(process.argv.slice(2));
