/** The Citus extension of a database: its nodes, which tables are distributed, and distributing them. */

import type { Knex } from 'knex';
import { ExpectedError } from '../../contract/failure.js';
import { liftTimeLimits } from './connections.js';
import { createdTables } from './migrations/index.js';
import { lockMigrations } from './schema-state.js';

/**
 * Where a database that Citus distributes keeps a table.
 * `distributed`: by `brand_key`, all rows of a brand on one node, so that each statement about a brand runs on one node.
 * `local`: on the coordinator. Citus can also copy a table to every node, but then each change of a row waits for all
 * other transactions that changed the table, which would queue the imports of all brands.
 */
export type Placement = 'distributed' | 'local';

/** The first distributed table. The others are colocated with it. */
export const FIRST_TABLE = 'runs';

/** The tables without a `brand_key`, those that a brand is looked up or locked in, and the collections of all machines. */
const LOCAL = [
  'address_lists',
  'api_keys',
  'brands',
  'collections',
  'deliveries',
  'destinations',
  'ended_sessions',
  'events',
  'fanout_volumes',
  'import_locks',
  'knex_migrations',
  'knex_migrations_lock',
  'oauth_grants',
  'oauth_records',
  'people',
  'rate_buckets',
  'reclassifications',
  'secrets',
  'shares',
  'sign_in_links',
  'visitor_salts',
  'workspaces',
  'youtube_videos',
];

/** The names of the distributed tables; the first one is `FIRST_TABLE`. */
export const distributedTables: readonly string[] = [
  FIRST_TABLE,
  ...createdTables.filter((name) => name !== FIRST_TABLE && !LOCAL.includes(name)).sort(),
];

export const tables: Readonly<Record<string, Placement>> = Object.fromEntries([
  ...distributedTables.map((name) => [name, 'distributed']),
  ...LOCAL.map((name) => [name, 'local']),
]);

export interface Cluster {
  /** Nodes that take shards. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  /** Tables of this schema that are distributed. */
  readonly distributed: ReadonlySet<string>;
  /** Shards of each distributed table; null: no table is distributed. */
  readonly shards: number | null;
}

interface DistributedTable {
  readonly name: string;
  readonly group: number;
  readonly shards: number;
}

/** The state of the cluster; null: the database has no Citus extension. */
export async function clusterOf(db: Knex): Promise<Cluster | null> {
  const { rows: extensions } = await db.raw("select 1 from pg_extension where extname = 'citus'");
  if (extensions.length === 0) return null;
  const { rows: nodes } = await db.raw(
    `select nodename as host, nodeport as port from pg_dist_node
     where shouldhaveshards and isactive and noderole = 'primary' order by nodename, nodeport`,
  );
  const found = await tablesOf(db);
  return {
    nodes,
    distributed: new Set(found.map(({ name }) => name)),
    shards: found[0]?.shards ?? null,
  };
}

/** Bytes of distributed tables on all nodes, by name; empty: no table is distributed. */
export async function distributedBytes(db: Knex): Promise<ReadonlyMap<string, number>> {
  const cluster = await clusterOf(db);
  if (!cluster || cluster.distributed.size === 0) return new Map();
  const { rows } = await db.raw(
    'select name, citus_total_relation_size(to_regclass(name))::bigint as bytes from unnest(cast(:names as text[])) as t(name)',
    { names: [...cluster.distributed] },
  );
  return new Map(rows.map(({ name, bytes }: { name: string; bytes: number }) => [name, bytes]));
}

/** @throws ExpectedError if the tables of a brand can be on different nodes. */
async function tablesOf(db: Knex): Promise<DistributedTable[]> {
  const { rows } = await db.raw(
    `select t.name, p.colocationid as "group", c.shardcount as shards
     from unnest(cast(:names as text[])) as t(name)
     join pg_dist_partition p on p.logicalrelid = to_regclass(t.name) and p.partmethod = 'h'
     join pg_dist_colocation c on c.colocationid = p.colocationid
     order by t.name`,
    { names: distributedTables },
  );
  const apart = rows.find(({ group }: DistributedTable) => group !== rows[0].group);
  if (apart) {
    throw new ExpectedError(
      'unexpected',
      `The tables ${rows[0].name} and ${apart.name} are distributed, but not colocated. Undistribute one of them first: select undistribute_table('${apart.name}').`,
    );
  }
  return rows;
}

/**
 * What is wrong with the workers: a setting that makes every statement slow, or every transaction on two nodes fail.
 * Empty: nothing.
 */
export async function workerProblems(db: Knex): Promise<string[]> {
  const { rows } = await db.raw('select nodename, nodeport, success, result from run_command_on_workers(?)', [
    WORKER_CHECK,
  ]);
  return rows
    .filter(({ success, result }: { success: boolean; result: string }) => !success || result !== '')
    .map(
      ({ nodename, nodeport, result }: { nodename: string; nodeport: number; result: string }) =>
        `Node ${nodename}:${nodeport}: ${result}`,
    );
}

const WORKER_CHECK = `
  select case
    when not exists (
      select 1 from pg_db_role_setting s
      join pg_database d on d.oid = s.setdatabase and d.datname = current_database()
      join pg_roles r on r.oid = s.setrole and r.rolname = current_user
      where 'jit=off' = any(s.setconfig)
    ) and current_setting('jit') = 'on' then 'just-in-time compilation is on for this role'
    when current_setting('max_prepared_transactions') = '0' then 'max_prepared_transactions is 0'
    else ''
  end`;

// Distributes the tables of brands over the nodes of a Citus cluster, and brings them back.

export const DEFAULT_SHARDS = 32;

export interface Distribution {
  readonly changed: readonly string[];
  /** Problems of the workers, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * Distributes the tables that are not distributed yet, in one transaction. Repeating it changes nothing.
 * @param shards How many parts each table gets; undefined: as many as the distributed tables have, else the default.
 * @throws ExpectedError if the cluster cannot take them.
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

/** @throws ExpectedError that says what to do. */
export function requireCluster(cluster: Cluster | null, shards: number | undefined): Cluster {
  if (!cluster) {
    throw new ExpectedError(
      'unexpected',
      'The database has no Citus extension. Install Citus on every node, run `create extension citus` in this database on each, and add the nodes.',
    );
  }
  if (cluster.nodes.length === 0) {
    throw new ExpectedError(
      'unexpected',
      "No node of the cluster takes shards. Add one: select citus_add_node('HOST', 5432).",
    );
  }
  if (shards !== undefined && cluster.shards !== null && cluster.shards !== shards) {
    throw new ExpectedError(
      'unexpected',
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
