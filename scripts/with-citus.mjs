/**
 * Runs a command on a Citus cluster started for it, a coordinator and two workers in a temporary folder on sockets:
 * `node scripts/with-citus.mjs COMMAND …`. DATABASE_URL and TEST_DATABASE_URL name the coordinator, where the workers are
 * registered. TEST_CITUS_WORKERS names the workers, so that tests can make further databases on all three. Needs an
 * installed Postgres with Citus; without one it exits with 77, as test programs do that cannot run.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createCluster, installedBinaries, openFolder, startCluster } from './support/postgres-server.mjs';

const NOT_INSTALLED = 77;
const PORT = 5432;

/**
 * The settings of a node. Each database with Citus takes a background worker on each node, and tests make many databases.
 * A node that moves a shard connects to itself too.
 */
const settingsOf = (host) =>
  Object.entries({
    shared_preload_libraries: 'citus',
    wal_level: 'logical',
    max_worker_processes: 200,
    max_prepared_transactions: 600,
    'citus.local_hostname': host,
  })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Starts a node that is known by the folder of its socket. */
function startNode(bin, host) {
  mkdirSync(host);
  openFolder(host);
  createCluster(bin, join(host, 'data'));
  return { host, ...startCluster(bin, join(host, 'data'), host, settingsOf(host)) };
}

async function query(url, ...statements) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function formCluster(coordinator, workers) {
  for (const { url } of [coordinator, ...workers]) await query(url, 'create extension citus');
  await query(
    coordinator.url,
    `select citus_set_coordinator_host('${coordinator.host}', ${PORT})`,
    ...workers.map(({ host }) => `select citus_add_node('${host}', ${PORT})`),
  );
}

async function main(command) {
  const bin = installedBinaries(['initdb', 'pg_ctl', '../lib/citus.so']);
  if (!bin) {
    console.error(
      'No Citus was found: no Postgres below /usr/lib/postgresql or on PATH has lib/citus.so. scripts/build-citus.sh builds and installs it.',
    );
    return NOT_INSTALLED;
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-citus-'));
  openFolder(folder);
  const nodes = [];
  try {
    for (const name of ['coordinator', 'worker-1', 'worker-2'])
      nodes.push(startNode(bin, join(folder, name)));
    const [coordinator, ...workers] = nodes;
    await formCluster(coordinator, workers);
    return await run(command, {
      DATABASE_URL: coordinator.url,
      TEST_DATABASE_URL: coordinator.url,
      TEST_CITUS_WORKERS: workers.map(({ url }) => url).join(' '),
    });
  } finally {
    for (const node of nodes) node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function run([command, ...args], variables) {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main(process.argv.slice(2));
