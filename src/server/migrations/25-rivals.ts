import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * What answers that name a rival and not the brand cite, by domain and by prompt, and the answers that name the brand second
 * to fourth. Keys and at the same place the answers of each, in one row: null where there are none. Every prompt of a day has
 * a row, so that days from before these tables are recognised; `svc admin rollup` computes them.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_rival_domain (
      brand_key     integer not null,
      day           date not null,
      domain_key    integer not null,
      answers       integer not null,
      engines       integer not null,
      prompt_keys   integer[] not null,
      rivals        integer[] not null,
      rival_answers integer[] not null,
      primary key (brand_key, day, domain_key)
    )`,
    `create table day_rival_prompt (
      brand_key      integer not null,
      day            date not null,
      prompt_key     integer not null,
      second         integer not null,
      third          integer not null,
      fourth         integer not null,
      leaders        integer[],
      leader_answers integer[],
      rivals         integer[],
      rival_answers  integer[],
      domain_keys    integer[],
      domain_answers integer[],
      primary key (brand_key, day, prompt_key)
    )`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, ['drop table day_rival_domain', 'drop table day_rival_prompt']);
}
