/** Databases on the cluster that `scripts/with-citus.mjs` starts. */
import knex, { type Knex } from 'knex';

/** URLs of the workers; empty: the tests run on no cluster. */
export const citusWorkers = (process.env.TEST_CITUS_WORKERS ?? '').split(' ').filter((url) => url !== '');

/** The URL of another database of the same server. */
export function urlOf(url: string, database: string): string {
  const target = new URL(url);
  target.pathname = `/${database}`;
  return target.toString();
}

/** Makes the new database of the coordinator a cluster: the same database on each worker, with Citus in all of them. */
export async function formCluster(coordinator: string, name: string): Promise<void> {
  for (const worker of citusWorkers) {
    await onServer(worker, (db) => db.raw(`create database ${name}`));
    await onServer(urlOf(worker, name), (db) => db.raw('create extension citus'));
  }
  await onServer(coordinator, async (db) => {
    await db.raw('create extension citus');
    await db.raw('select citus_set_coordinator_host(?, ?)', nodeOf(coordinator));
    for (const worker of citusWorkers) await db.raw('select citus_add_node(?, ?)', nodeOf(worker));
  });
}

async function onServer(url: string, work: (db: Knex) => Promise<unknown>): Promise<void> {
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

/** Host and port; the host of a server on a socket is the folder of the socket. */
function nodeOf(url: string): [string, number] {
  const { searchParams, hostname, port } = new URL(url);
  return [searchParams.get('host') ?? hostname, Number(port || 5432)];
}
