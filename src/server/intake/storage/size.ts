/** How much a database stores: rows and bytes of tables, runs of brands, and what a run and a day take. */

import type { Knex } from 'knex';
import { runsSince } from '../../answers/sums/collected-days.js';
import { statement } from '../../base/statement.js';
import { distributedBytes } from '../../database/citus.js';
import { liftTimeLimits } from '../../database/connections.js';
import { brandKeys } from '../dataset/import-locks.js';

export interface TableSize {
  name: string;
  /** As the statistics of the database say; null: it has none. */
  estimatedRows: number | null;
  /** The size of the table with its indexes and the long texts that are stored apart. */
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
  /** Runs that are still stored: the others were pruned. */
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

/** Tables with rows of runs. */
const RUNS = new Set(['runs', 'unshown_runs', 'run_answers', 'carousels', 'placements', 'ads']);
/** Texts that runs refer to; they grow with distinct texts. */
const TEXTS = new Set([
  'mention_names',
  'cited_domains',
  'domain_entities',
  'cited_urls',
  'page_titles',
  'fanout_queries',
]);

/** Which part of the data a table belongs to. Roll-ups and daily statistics have rows by day. */
export type Part = 'runs' | 'texts' | 'roll-ups' | 'other';

const partOf = (table: string): Part =>
  RUNS.has(table)
    ? 'runs'
    : TEXTS.has(table)
      ? 'texts'
      : /^(?:day|daily)_/.test(table)
        ? 'roll-ups'
        : 'other';

export interface TableStats {
  readonly name: string;
  readonly part: Part;
  readonly rows: number;
  /** Whether `rows` is an estimate of the database: large tables are not counted. */
  readonly estimated: boolean;
  readonly bytes: number;
}

export interface StorageStats {
  readonly tables: readonly TableStats[];
  readonly brands: readonly BrandSize[];
  readonly bytes: number;
  /** Bytes of a stored run with its answer, placements and ads; null: no run is stored. */
  readonly bytesPerRun: number | null;
  /** Bytes of the texts that a stored run refers to, as their share; null: no run is stored. */
  readonly textBytesPerRun: number | null;
  /** Bytes of roll-ups of a brand's day; null: no day has runs. */
  readonly bytesPerDay: number | null;
}

export const storageStats = (db: Knex): Promise<StorageStats> =>
  db.transaction(async (trx) => {
    await liftTimeLimits(trx);
    const tables: TableStats[] = [];
    const distributed = await distributedBytes(trx);
    for (const size of await tableSizes(trx, {})) {
      // The coordinator has neither rows nor statistics of a distributed table.
      const bytes = distributed.get(size.name);
      const known = bytes === undefined ? size : { ...size, bytes, estimatedRows: null };
      tables.push(await tableStats(trx, known));
    }
    tables.sort((a, b) => b.bytes - a.bytes);
    const brands = await brandSizes(trx);
    const bytesOf = (part: Part) =>
      sum(tables.filter((table) => table.part === part).map(({ bytes }) => bytes));
    const stored = sum(brands.map((brand) => brand.stored));
    return {
      tables,
      brands,
      bytes: sum(tables.map(({ bytes }) => bytes)),
      bytesPerRun: per(bytesOf('runs'), stored),
      textBytesPerRun: per(bytesOf('texts'), stored),
      bytesPerDay: per(bytesOf('roll-ups'), sum(brands.map(({ days }) => days))),
    };
  });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const per = (bytes: number, count: number): number | null => (count === 0 ? null : Math.round(bytes / count));

/** Tables up to this size are counted. */
const COUNTED_BYTES = 64 * 1024 * 1024;

async function tableStats(trx: Knex, { name, bytes, estimatedRows }: TableSize): Promise<TableStats> {
  const table = { name, part: partOf(name), bytes };
  if (estimatedRows !== null && bytes > COUNTED_BYTES)
    return { ...table, rows: estimatedRows, estimated: true };
  const { rows } = await trx.raw('select count(*) as rows from ??', [name]);
  return { ...table, rows: rows[0].rows, estimated: false };
}

async function brandSizes(trx: Knex): Promise<BrandSize[]> {
  const sizes: BrandSize[] = [];
  for (const { key: brandKey, id } of await brandKeys(trx, {})) {
    const [retention] = await runsSince(trx, { brandKey });
    const [size] = await brandSize(trx, { brandKey, since: retention?.day ?? null });
    sizes.push({ id, ...size! });
  }
  return sizes;
}
