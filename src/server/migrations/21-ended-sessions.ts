import type { Knex } from 'knex';

/** Sessions of the page that were ended by signing out before their expiry. Only the SHA-256 of a session is stored. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create table ended_sessions (
    session_hash bytea primary key,
    expires_at   timestamptz not null
  )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ended_sessions');
}
