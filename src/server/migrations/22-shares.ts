import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/** Links that show a brand to people without a key. A link and its key are stored as SHA-256 alone. */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table shares (
      id          text collate "C" primary key,
      token_hash  bytea not null unique,
      secret_hash bytea not null,
      key_id      text collate "C" not null,
      brand_id    text collate "C" not null,
      slice       jsonb not null,
      created_at  timestamptz not null,
      expires_at  timestamptz not null,
      revoked_at  timestamptz
    )`,
    'create index shares_by_key on shares (secret_hash, created_at)',
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table shares');
}
