import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * The collections of a brand, one a UTC day. Only the journal that has the calls of a day may send more of them, so that no
 * two machines pay for the same answers. A row without a journal is planned, or was missed.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table collections (
      brand_key   integer not null,
      day         date not null,
      due_at      timestamptz,
      journal     text collate "C",
      host        text,
      started_at  timestamptz,
      ended_at    timestamptz,
      outcome     text collate "C",
      reason      text,
      calls       integer,
      cost_usd    double precision,
      assumed_usd double precision,
      answered    integer,
      missing     integer,
      waiting     integer,
      primary key (brand_key, day)
    )`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table collections');
}
