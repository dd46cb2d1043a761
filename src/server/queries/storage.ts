import { statement } from './statement.js';

export interface TableSize {
  name: string;
  /** By the statistics of the database; null: it has none. */
  estimatedRows: number | null;
  /** With indexes and long texts that are stored apart. */
  bytes: number;
}

/** Every table, the largest first. */
export const tableSizes = statement<TableSize, Record<string, never>>(
  'table_sizes',
  `select c.relname as name, case when c.reltuples >= 0 then c.reltuples::bigint end as "estimatedRows",
     pg_total_relation_size(c.oid) as bytes
   from pg_class c
   where c.relkind in ('r', 'p') and c.relnamespace = (select relnamespace from pg_class where oid = 'brands'::regclass)
   order by bytes desc, name`,
);

export interface BrandSize {
  id: string;
  /** UTC days with runs. */
  days: number;
  /** Runs that were ever collected. */
  collected: number;
  /** Those of them that are stored: the others were pruned. */
  stored: number;
}

/** Days and runs of a brand. The roll-ups count the runs of days that were not pruned. Always one row. */
export const brandSize = statement<Omit<BrandSize, 'id'>, { brandKey: number; since: string | null }>(
  'brand_size',
  `select count(distinct s.day) as days, coalesce(sum(s.run_count), 0)::bigint as collected,
     coalesce(sum(s.run_count) filter (where cast(:since as date) is null or s.day >= cast(:since as date)), 0)::bigint
       + (select count(*) from runs r where r.brand_key = :brandKey and r.day < cast(:since as date)) as stored
   from day_scope s where s.brand_key = :brandKey`,
);
