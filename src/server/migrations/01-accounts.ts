import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/** Workspaces, brands and API keys: the small tables that every request is checked against. */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table workspaces (
      id   text collate "C" primary key,
      name text not null,
      plan text not null
    )`,
    `create table brands (
      brand_key    integer primary key,
      id           text collate "C" not null unique,
      workspace_id text collate "C" not null,
      name         text not null,
      domain       text not null,
      aliases      text[] not null,
      created_at   timestamptz,
      archived_at  timestamptz,
      data_version bigint not null default 0
    )`,
    'create index brands_by_workspace on brands (workspace_id)',
    `create table api_keys (
      id           text collate "C" primary key,
      workspace_id text collate "C" not null,
      kind         text not null,
      name         text,
      secret_hash  bytea not null unique,
      display      text not null,
      brand_ids    text[],
      expires_at   timestamptz,
      allow        text[],
      created_at   timestamptz not null,
      revoked_at   timestamptz
    )`,
    'create table import_locks (brand_key integer primary key)',
    `create unlogged table rate_buckets (
      bucket  text collate "C" primary key,
      tokens  double precision not null,
      at      double precision not null,
      granted boolean not null
    )`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table workspaces, brands, api_keys, import_locks, rate_buckets');
}
