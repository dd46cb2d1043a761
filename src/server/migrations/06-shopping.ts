import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * Daily roll-ups of shopping carousels, every engine. A product is identified by the hash of its folded name and merchant
 * domain; its day's row points at the placement whose values are the newest. Days that were collected before this
 * migration are filled by `svc admin rollup`, and by every import that touches them.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_carousel (
      brand_key      integer not null,
      day            date not null,
      engine         text collate "C" not null,
      carousels      integer not null,
      own_carousels  integer not null,
      own_wins       integer not null,
      own_placements integer not null,
      own_slot_sum   bigint not null,
      primary key (brand_key, day, engine)
    )`,
    `create table day_product (
      brand_key       integer not null,
      day             date not null,
      product_hash    bytea not null,
      placements      integer not null,
      carousels       integer not null,
      first_slots     integer not null,
      slot_sum        bigint not null,
      weight_sum      bigint not null,
      newest_run      text collate "C" not null,
      newest_carousel integer not null,
      newest_position integer not null,
      newest_is_own   boolean not null,
      primary key (brand_key, day, product_hash)
    )`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table day_carousel, day_product');
}
