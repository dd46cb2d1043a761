import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * What happened to brands, and to whom it is told. An event is stored once, whoever finds it again; a delivery is one event
 * for one destination. Addresses and secrets of destinations are sealed with a secret of the deployment.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table events (
      id       text collate "C" primary key,
      brand_id text collate "C" not null,
      type     text collate "C" not null,
      at       timestamptz not null,
      data     json not null
    )`,
    'create index events_by_time on events (at)',
    `create table destinations (
      id             text collate "C" primary key,
      workspace_id   text collate "C" not null,
      kind           text collate "C" not null,
      name           text,
      shown          text not null,
      sealed         bytea not null,
      events         text[] not null,
      brand_ids      text[],
      created_at     timestamptz not null,
      paused_at      timestamptz,
      pause_reason   text,
      delivered_at   timestamptz,
      failed_at      timestamptz,
      failure        text
    )`,
    'create index destinations_by_workspace on destinations (workspace_id)',
    `create table deliveries (
      event_id       text collate "C" not null,
      destination_id text collate "C" not null,
      attempts       integer not null default 0,
      due_at         timestamptz,
      claim          text collate "C",
      claimed_until  timestamptz,
      ended_at       timestamptz,
      delivered      boolean,
      failure        text,
      primary key (event_id, destination_id)
    )`,
    'create index deliveries_pending on deliveries (destination_id, due_at) where ended_at is null',
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, ['drop table deliveries', 'drop table destinations', 'drop table events']);
}
