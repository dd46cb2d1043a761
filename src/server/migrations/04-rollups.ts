import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * Daily roll-ups, so that a read costs the same however many runs a brand has. A brand's day is always
 * rebuilt whole from its runs, which makes the result independent of the order in which runs arrived.
 * Position weights are integers (10⁹ / log2(1 + order)), so sums are exact and free of order.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_scope (
      brand_key integer not null,
      day       date not null,
      engine    text collate "C" not null,
      run_count integer not null,
      citations integer not null,
      quotes    integer not null,
      primary key (brand_key, day, engine)
    )`,
    `create table day_entity (
      brand_key    integer not null,
      day          date not null,
      engine       text collate "C" not null,
      entity       integer not null,
      present_runs integer not null,
      position_sum bigint not null,
      weight_sum   bigint not null,
      positive     integer not null,
      neutral      integer not null,
      negative     integer not null,
      citations    integer not null,
      primary key (brand_key, day, engine, entity)
    )`,
    `create table day_prompt (
      brand_key     integer not null,
      day           date not null,
      prompt_key    integer not null,
      run_count     integer not null,
      present_runs  integer not null,
      position_sum  bigint not null,
      weight_sum    bigint not null,
      own_citations integer not null,
      primary key (brand_key, day, prompt_key)
    )`,
    `create table day_domain (
      brand_key    integer not null,
      day          date not null,
      domain_key   integer not null,
      citations    integer not null,
      present_runs integer not null,
      primary key (brand_key, day, domain_key)
    )`,
    `create table day_url (
      brand_key     integer not null,
      day           date not null,
      url_key       integer not null,
      title_key     integer,
      citations     integer not null,
      answers       integer not null,
      engines       integer not null,
      present_runs  integer not null,
      position_sum  bigint not null,
      best_position integer not null,
      primary key (brand_key, day, url_key)
    )`,
    `create table day_prompt_domain (
      brand_key  integer not null,
      day        date not null,
      prompt_key integer not null,
      domain_key integer not null,
      citations  integer not null,
      primary key (brand_key, day, prompt_key, domain_key)
    )`,
    `create table day_prompt_own_url (
      brand_key  integer not null,
      day        date not null,
      prompt_key integer not null,
      url_key    integer not null,
      citations  integer not null,
      primary key (brand_key, day, prompt_key, url_key)
    )`,
    `create table day_fanout (
      brand_key  integer not null,
      day        date not null,
      engine     text collate "C" not null,
      query_key  integer not null,
      prompt_key integer not null,
      runs       integer not null,
      primary key (brand_key, day, engine, query_key, prompt_key)
    )`,
    `create table day_tracked_url (
      brand_key integer not null,
      url_key   integer not null,
      day       date not null,
      citations integer not null,
      answers   integer not null,
      engines   integer not null,
      primary key (brand_key, url_key, day)
    )`,
    `create table daily_stats (
      brand_key               integer not null,
      entity                  integer not null,
      engine                  text collate "C" not null,
      day                     date not null,
      run_count               integer not null,
      visibility              double precision not null,
      share_of_voice_fraction double precision,
      citation_share          double precision,
      sentiment_index         double precision,
      imported                boolean not null,
      primary key (brand_key, entity, engine, day)
    )`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop table day_scope, day_entity, day_prompt, day_domain, day_url, day_prompt_domain, day_prompt_own_url, day_fanout, day_tracked_url, daily_stats',
  );
}
