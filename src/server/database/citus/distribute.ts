/** Distributes the tables of brands over the nodes of a Citus cluster, and brings them back. */
import type { Knex } from 'knex';
import { lockMigrations } from '../schema-state.js';
import { liftTimeLimits } from '../time-limits.js';
import { type Cluster, clusterOf, DistributionError, workerProblems } from './cluster.js';
import { distributedTables, FIRST_TABLE } from './tables.js';

export const DEFAULT_SHARDS = 32;

export interface Distribution {
  /** The tables that changed. */
  readonly changed: readonly string[];
  /** Problems of the workers, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * Distributes the tables that are not distributed yet, in one transaction. Repeating it changes nothing.
 * @param shards How many parts each table gets; undefined: as many as the distributed tables have, else the default.
 * @throws DistributionError if the cluster cannot take them.
 */
export async function distribute(db: Knex, shards: number | undefined): Promise<Distribution> {
  const changed = await changeTables(db, async (trx) => {
    const cluster = requireCluster(await clusterOf(trx), shards);
    const missing = await distributeMissing(trx, cluster, shards);
    await setJit(trx, 'set jit = off');
    return missing;
  });
  await dropLocalCopies(db, distributedTables);
  return { changed, warnings: await workerProblems(db) };
}

/** Brings every table back to the coordinator, in one transaction. Without distributed tables it changes nothing. */
export async function undistribute(db: Knex): Promise<Distribution> {
  const changed = await changeTables(db, async (trx) => {
    const cluster = await clusterOf(trx);
    const names = distributedTables.filter((name) => cluster?.distributed.has(name));
    for (const name of names) await trx.raw('select undistribute_table(?)', [name]);
    if (cluster) await setJit(trx, 'reset jit');
    return names;
  });
  return { changed, warnings: [] };
}

/** On a distributed database, distributes the tables that migrations have just created. Returns their names. */
export async function distributeNewTables(trx: Knex.Transaction): Promise<readonly string[]> {
  const cluster = await clusterOf(trx);
  return cluster?.distributed.has(FIRST_TABLE) ? distributeMissing(trx, cluster) : [];
}

/** Removes the rows that distributed tables had before, which Citus hides but keeps. Cannot run with their distribution. */
export async function dropLocalCopies(db: Knex, names: readonly string[]): Promise<void> {
  for (const name of names) await db.raw('select truncate_local_data_after_distributing_table(?)', [name]);
}

const changeTables = <T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> =>
  db.transaction(async (trx) => {
    await liftTimeLimits(trx);
    await lockMigrations(trx);
    return work(trx);
  });

/** @throws DistributionError that says what to do. */
export function requireCluster(cluster: Cluster | null, shards: number | undefined): Cluster {
  if (!cluster) {
    throw new DistributionError(
      'The database has no Citus extension. Install Citus on every node, run `create extension citus` in this database on each, and add the nodes.',
    );
  }
  if (cluster.nodes.length === 0) {
    throw new DistributionError(
      "No node of the cluster takes shards. Add one: select citus_add_node('HOST', 5432).",
    );
  }
  if (shards !== undefined && cluster.shards !== null && cluster.shards !== shards) {
    throw new DistributionError(
      `The distributed tables have ${cluster.shards} shards each. Their number is changed with alter_distributed_table, or by --undo and a new start.`,
    );
  }
  return cluster;
}

async function distributeMissing(
  trx: Knex.Transaction,
  { distributed }: Cluster,
  shards = DEFAULT_SHARDS,
): Promise<string[]> {
  const missing = distributedTables.filter((name) => !distributed.has(name));
  for (const name of missing) {
    if (name === FIRST_TABLE) {
      await trx.raw(
        `select create_distributed_table(:name, 'brand_key', colocate_with => 'none', shard_count => :shards)`,
        { name, shards },
      );
    } else {
      await trx.raw(`select create_distributed_table(:name, 'brand_key', colocate_with => :first)`, {
        name,
        first: FIRST_TABLE,
      });
    }
  }
  return missing;
}

/**
 * Changes the setting of this role in this database, which Citus does on every node. The sessions of a node do not get the
 * settings of the server's sessions, and compiling its short statements takes longer than running them.
 */
async function setJit(trx: Knex.Transaction, change: string): Promise<void> {
  const { rows } = await trx.raw('select current_database() as name');
  await trx.raw(`alter role current_user in database ?? ${change}`, [rows[0].name]);
}
