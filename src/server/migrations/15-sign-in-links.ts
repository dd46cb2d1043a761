import type { Knex } from 'knex';

/** Links that sign in to the page once. Only the SHA-256 of a link and of its key is stored. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create table sign_in_links (
    link_hash   bytea primary key,
    secret_hash bytea not null,
    expires_at  timestamptz not null
  )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sign_in_links');
}
