import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/** How each run was collected; empty: not stated. Only stated surfaces are rolled up, so stored runs need no row. */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `alter table runs add column surface text collate "C" not null default ''`,
    `create table day_surface (
      brand_key integer not null,
      day       date not null,
      engine    text collate "C" not null,
      surface   text collate "C" not null,
      run_count integer not null,
      primary key (brand_key, day, engine, surface)
    )`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, ['drop table day_surface', 'alter table runs drop column surface']);
}
