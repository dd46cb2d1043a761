import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * Sums of slices by day, with a place of each list for an entity: of a prompt and of a region on the blended engines, and of a
 * region on each engine. A row per entity would take ten times as many. The sums of the brand by engine and prompt are further
 * lists of `day_engine_prompts`: null says that the sums of slices of this day are not computed. Of stored days they are
 * computed by `svc admin rollup`, or with the next runs of the day.
 *
 * The index finds the runs of some prompts on some engines or in some regions without reading the others.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_prompt_entities (
      brand_key        integer not null,
      day              date not null,
      prompt_key       integer not null,
      ${OF_ENTITIES},
      primary key (brand_key, day, prompt_key)
    )`,
    `create table day_region_entities (
      brand_key        integer not null,
      day              date not null,
      region           text collate "C" not null,
      ${OF_ENTITIES},
      ${OF_PROMPTS},
      primary key (brand_key, day, region)
    )`,
    `create table day_engine_region_entities (
      brand_key        integer not null,
      day              date not null,
      engine           text collate "C" not null,
      region           text collate "C" not null,
      ${OF_ENTITIES},
      ${OF_PROMPTS},
      primary key (brand_key, day, engine, region)
    )`,
    `alter table day_engine_prompts
      add column brand_runs integer[],
      add column brand_positions bigint[],
      add column brand_weights bigint[]`,
    'drop index runs_by_prompt',
    'create index runs_by_prompt on runs (brand_key, prompt_key, engine, day, region)',
  ]);
}

const OF_ENTITIES = `run_count        integer not null,
      citations        integer not null,
      surfaces         text[] collate "C" not null,
      surface_runs     integer[] not null,
      entities         integer[] not null,
      present_runs     integer[] not null,
      position_sums    bigint[] not null,
      weight_sums      bigint[] not null,
      positives        integer[] not null,
      neutrals         integer[] not null,
      negatives        integer[] not null,
      entity_citations integer[] not null`;

const OF_PROMPTS = `prompt_keys      integer[] not null,
      prompt_runs      integer[] not null`;

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [
    'drop table day_prompt_entities, day_region_entities, day_engine_region_entities',
    `alter table day_engine_prompts
      drop column brand_runs,
      drop column brand_positions,
      drop column brand_weights`,
    'drop index runs_by_prompt',
    'create index runs_by_prompt on runs (brand_key, prompt_key, day)',
  ]);
}
