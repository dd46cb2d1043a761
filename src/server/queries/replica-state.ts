import { statement } from './statement.js';

export interface ReplicaStateRow {
  /** The migrations with the times at which they ran: the same on a database and its replicas, and on no other. */
  schema: string;
  /** Grows with every change that any read can see. */
  versions: number;
}

/** How far a database is, to compare a replica with the primary. Always one row. */
export const replicaState = statement<ReplicaStateRow, Record<string, never>>(
  'replica_state',
  `select
     (select string_agg(name || ' ' || extract(epoch from migration_time), ', ' order by id) from knex_migrations) as schema,
     (coalesce((select sum(data_version) from brands), 0)
       + coalesce((select sum(data_version) from crawler_connections), 0))::bigint as versions`,
);
