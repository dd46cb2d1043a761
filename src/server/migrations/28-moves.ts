import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * What was told of a brand, each once. A move that its data no longer supports is withdrawn, and kept, so that it is not told
 * again. Of a site what its robots.txt and its pages were like last, because a change of them is told.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table moves (
      brand_key integer not null,
      id        text collate "C" not null,
      kind      text collate "C" not null,
      subject   text collate "C" not null,
      direction text collate "C",
      day       date not null,
      facts     jsonb not null,
      told_at   timestamptz not null,
      withdrawn boolean not null,
      primary key (brand_key, id)
    )`,
    'create index moves_by_day on moves (brand_key, day desc, id desc)',
    `create table site_states (
      brand_key integer primary key,
      robots    jsonb,
      pages     jsonb
    )`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table moves, site_states');
}
