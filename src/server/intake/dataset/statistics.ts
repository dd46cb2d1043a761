/**
 * The planner's statistics after an import. The embedded database has nothing that updates them by itself, and a server
 * does so after a minute or later; until then it takes a new brand for a single row.
 */
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import { measureNames } from '../../../contract/measures.js';

/** Tables with fewer changes than this, plus a share of their rows, are not analysed, as autovacuum does it. */
const MIN_CHANGES = 50;
const SHARE_OF_CHANGES = 0.05;

const SLICE_LISTS = [
  'surfaces',
  'surface_runs',
  'entities',
  'present_runs',
  'position_sums',
  'weight_sums',
  'positives',
  'neutrals',
  'negatives',
  'entity_citations',
];

/**
 * Columns that no statement compares or groups by. Their statistics, of arrays above all, would take most of the time of
 * ANALYZE. A server's autovacuum adds them later.
 */
export const UNCOMPARED: Readonly<Record<string, readonly string[]>> = {
  runs: ['id', 'collected_at', 'm_order', 'm_tone', 'm_evidence', 'c_url', 'c_title', 'f_query'],
  run_answers: ['answer'],
  cited_urls: ['hash'],
  page_titles: ['title', 'hash'],
  fanout_queries: ['hash'],
  day_domain: ['present_runs'],
  day_engine_prompts: [
    ...[
      'prompt_keys',
      'run_counts',
      'citations',
      'presences',
      'brand_runs',
      'brand_positions',
      'brand_weights',
    ],
    ...['brand_positives', 'brand_neutrals', 'brand_negatives', 'brand_citations'],
  ],
  day_prompt_entities: SLICE_LISTS,
  day_region_entities: [...SLICE_LISTS, 'prompt_keys', 'prompt_runs'],
  day_brand: ['presences', 'present_runs', 'weight_sum', 'surface_runs', 'entities', 'entity_runs'],
  day_engine_region_entities: [...SLICE_LISTS, 'prompt_keys', 'prompt_runs'],
  day_entity: ['present_runs', 'position_sum', 'weight_sum', 'positive', 'neutral', 'negative', 'citations'],
  day_outcomes: ['prompt_keys', 'unshown_runs'],
  day_prompt: ['present_runs', 'position_sum', 'weight_sum', 'own_citations'],
  day_url: ['answers', 'engines', 'present_runs', 'position_sum', 'best_position'],
  day_prompt_domains: ['domain_keys', 'citations', 'present_citations'],
  day_engine_domains: ['domain_keys', 'citations', 'present_citations'],
  day_prompt_own_urls: ['url_keys', 'citations'],
  day_engine_own_urls: ['url_keys', 'citations'],
  daily_stats: measureNames,
};

/** How many rows tables grew by, by their names. A connection counts earlier transactions too, until it reports its counts. */
export type Growth = ReadonlyMap<string, number>;

interface Counted {
  readonly name: string;
  readonly growth: number;
  /** Rows according to the statistics; -1: the table was never analysed. */
  readonly known: number;
}

async function counted(trx: Knex.Transaction): Promise<Counted[]> {
  const { rows } = await trx.raw(
    `select relname as name, reltuples as known,
       pg_stat_get_xact_tuples_inserted(oid) - pg_stat_get_xact_tuples_deleted(oid) as growth
     from pg_class
     where relkind = 'r' and relnamespace = (select oid from pg_namespace where nspname = current_schema())
     order by relname`,
  );
  return rows;
}

/** The columns of each table that ANALYZE reads. */
async function comparedColumns(trx: Knex.Transaction, tables: readonly string[]): Promise<string[][]> {
  const { rows } = await trx.raw(
    `select array(
       select cast(attname as text) from pg_attribute
       where attrelid = cast(t.name as regclass) and attnum > 0 and not attisdropped order by attnum
     ) as columns
     from unnest(cast(:tables as text[])) with ordinality as t(name, place) order by place`,
    { tables },
  );
  return rows.map(({ columns }: { columns: string[] }, at: number) =>
    columns.filter((column) => !UNCOMPARED[tables[at]!]?.includes(column)),
  );
}

/** What the connection has counted when the transaction begins. */
export const growthSoFar = async (trx: Knex.Transaction): Promise<Growth> =>
  new Map((await counted(trx)).map(({ name, growth }) => [name, growth]));

/**
 * The tables that the transaction made so much larger or smaller that their statistics are out of date, each with the
 * columns to analyse: `run_answers (brand_key, run_id)`.
 */
export async function outdatedTables(trx: Knex.Transaction, before: Growth): Promise<string[]> {
  const tables = (await counted(trx)).filter(({ name, growth, known }) => {
    const changed = Math.abs(growth - (before.get(name) ?? 0));
    return changed > MIN_CHANGES + SHARE_OF_CHANGES * Math.max(known, 0);
  });
  if (tables.length === 0) return [];
  const names = tables.map(({ name }) => name);
  const columns = await comparedColumns(trx, names);
  return names.map((name, at) => `${name} (${columns[at]!.join(', ')})`);
}

/** Tables that a server analyses at the same time. The embedded database has one connection. */
const AT_ONCE = 2;

/**
 * Updates the statistics of tables, after the transaction: it would hold their locks. A failure does not fail the import,
 * which is stored; the server's autovacuum makes up for it.
 * @param tables Those that `outdatedTables` returned.
 */
export async function analyzeTables(db: Knex, tables: readonly string[]): Promise<void> {
  await pLimit(AT_ONCE).map(tables, (table) => db.raw(`analyze ${table}`).catch(() => undefined));
}
