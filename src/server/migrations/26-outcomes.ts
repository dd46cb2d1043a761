import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * What runs say of themselves: that they state their outcome, and of what they observe none is an absence. Runs without an
 * answer have a table of their own, so that no statement about runs can count them. The roll-up lists the prompts with runs that
 * state their outcome, and how many of these have no answer. Stored runs state neither, so they need no row.
 *
 * Sums of a region on an engine are now of each surface too. A stored row whose runs state one surface gets it; days with a row
 * of several are no longer summed, until `svc admin rollup` or their next runs.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `alter table runs
      add column states_outcome boolean not null default false,
      add column observes smallint not null default 0`,
    `alter table day_scope
      add column ad_observers integer not null default 0,
      add column carousel_observers integer not null default 0`,
    `create table unshown_runs (
      brand_key    integer not null,
      id           text collate "C" not null,
      prompt_key   integer not null,
      day          date not null,
      collected_at timestamptz not null,
      engine       text collate "C" not null,
      region       text collate "C" not null,
      model        text collate "C" not null,
      surface      text collate "C" not null,
      observes     smallint not null,
      primary key (brand_key, id)
    )`,
    'create index unshown_runs_by_day on unshown_runs (brand_key, day, id)',
    `create table day_outcomes (
      brand_key    integer not null,
      day          date not null,
      engine       text collate "C" not null,
      region       text collate "C" not null,
      surface      text collate "C" not null,
      prompt_keys  integer[] not null,
      unshown_runs integer[] not null,
      primary key (brand_key, day, engine, region, surface)
    )`,
    'alter table day_engine_region_entities rename to day_engine_regions',
    `create table day_engine_region_entities (
      brand_key    integer not null,
      day          date not null,
      engine       text collate "C" not null,
      region       text collate "C" not null,
      surface      text collate "C" not null,
      ${columnsOf(LISTS)}
    )`,
    `insert into day_engine_region_entities
     select brand_key, day, engine, region, coalesce(surfaces[1], ''), ${Object.keys(LISTS).join(', ')}
     from day_engine_regions where ${HAS_ONE}`,
    `update day_engine_prompts p set brand_runs = null, brand_positions = null, brand_weights = null
     from day_engine_regions e
     where e.brand_key = p.brand_key and e.day = p.day and e.engine = p.engine and not (${HAS_ONE})`,
    'drop table day_engine_regions',
    'alter table day_engine_region_entities add primary key (brand_key, day, engine, region, surface)',
  ]);
}

/** Of a row: all of its runs state the same surface, or none. */
const HAS_ONE = 'cardinality(surfaces) = 0 or (cardinality(surfaces) = 1 and surface_runs[1] = run_count)';

const LISTS = {
  run_count: 'integer',
  citations: 'integer',
  surfaces: 'text[] collate "C"',
  surface_runs: 'integer[]',
  entities: 'integer[]',
  present_runs: 'integer[]',
  position_sums: 'bigint[]',
  weight_sums: 'bigint[]',
  positives: 'integer[]',
  neutrals: 'integer[]',
  negatives: 'integer[]',
  entity_citations: 'integer[]',
  prompt_keys: 'integer[]',
  prompt_runs: 'integer[]',
};

const columnsOf = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type} not null`)
    .join(', ');

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [
    `update day_engine_prompts p set brand_runs = null, brand_positions = null, brand_weights = null
     from day_engine_region_entities e
     where e.brand_key = p.brand_key and e.day = p.day and e.engine = p.engine`,
    'truncate day_engine_region_entities',
    'alter table day_engine_region_entities drop column surface',
    'alter table day_engine_region_entities add primary key (brand_key, day, engine, region)',
    'drop table unshown_runs, day_outcomes',
    'alter table day_scope drop column ad_observers, drop column carousel_observers',
    'alter table runs drop column states_outcome, drop column observes',
  ]);
}
