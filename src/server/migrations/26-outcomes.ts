import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * What runs say of themselves: that they state their outcome, and of what they observe none is an absence. Runs without an
 * answer have a table of their own, so that no statement about runs can count them. The roll-up lists the prompts with runs that
 * state their outcome, and how many of these have no answer. Stored runs state neither, so they need no row.
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
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [
    'drop table unshown_runs, day_outcomes',
    'alter table day_scope drop column ad_observers, drop column carousel_observers',
    'alter table runs drop column states_outcome, drop column observes',
  ]);
}
