/** What the Citus extension of a database says about its nodes and tables. */
import type { Knex } from 'knex';
import { distributedTables } from './tables.js';

/** The database cannot be distributed as it is. The message says what to do. */
export class DistributionError extends Error {
  override readonly name = 'DistributionError';
}

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

/** @throws DistributionError if the tables of a brand can be on different nodes. */
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
    throw new DistributionError(
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
