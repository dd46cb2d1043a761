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
    `alter table day_engine_region_entities add column surface text collate "C" not null default ''`,
    `update day_engine_region_entities set surface = surfaces[1]
     where cardinality(surfaces) = 1 and surface_runs[1] = run_count`,
    `update day_engine_prompts p set brand_runs = null, brand_positions = null, brand_weights = null
     from day_engine_region_entities e
     where e.brand_key = p.brand_key and e.day = p.day and e.engine = p.engine and ${HAS_SEVERAL}`,
    `delete from day_engine_region_entities e where ${HAS_SEVERAL}`,
    'alter table day_engine_region_entities alter column surface drop default',
    ...keyOfRegions('brand_key, day, engine, region, surface'),
  ]);
}

/** Of a row `e`: its runs state several surfaces, or some of them none. */
const HAS_SEVERAL = `e.surface = '' and cardinality(e.surfaces) > 0`;

const keyOfRegions = (columns: string): string[] => [
  'alter table day_engine_region_entities drop constraint day_engine_region_entities_pkey',
  `alter table day_engine_region_entities add primary key (${columns})`,
];

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [
    `update day_engine_prompts p set brand_runs = null, brand_positions = null, brand_weights = null
     from day_engine_region_entities e
     where e.brand_key = p.brand_key and e.day = p.day and e.engine = p.engine`,
    'truncate day_engine_region_entities',
    ...keyOfRegions('brand_key, day, engine, region'),
    'alter table day_engine_region_entities drop column surface',
    'drop table unshown_runs, day_outcomes',
    'alter table day_scope drop column ad_observers, drop column carousel_observers',
    'alter table runs drop column states_outcome, drop column observes',
  ]);
}
