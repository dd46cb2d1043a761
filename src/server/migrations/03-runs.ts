import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * Runs with their children as arrays, and the dictionaries those arrays point into. Long texts have no index
 * of their own (a B-tree entry ends at 2,704 bytes): dictionaries are unique by SHA-256 of the text.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table mention_names (
      brand_key integer not null,
      name_key  integer not null,
      name      text not null,
      hash      bytea not null,
      entity    integer,
      primary key (brand_key, name_key),
      unique (brand_key, hash)
    )`,
    `create table cited_domains (
      brand_key  integer not null,
      domain_key integer not null,
      domain     text collate "C" not null,
      hash       bytea not null,
      primary key (brand_key, domain_key),
      unique (brand_key, hash)
    )`,
    `create table domain_entities (
      brand_key  integer not null,
      domain_key integer not null,
      entity     integer not null,
      primary key (brand_key, domain_key, entity)
    )`,
    `create table cited_urls (
      brand_key  integer not null,
      url_key    integer not null,
      url        text collate "C" not null,
      hash       bytea not null,
      domain_key integer not null,
      page_type  text,
      primary key (brand_key, url_key),
      unique (brand_key, hash)
    )`,
    `create table page_titles (
      brand_key integer not null,
      title_key integer not null,
      url_key   integer not null,
      title     text not null,
      hash      bytea not null,
      page_type text,
      primary key (brand_key, title_key),
      unique (brand_key, hash)
    )`,
    `create table fanout_queries (
      brand_key integer not null,
      query_key integer not null,
      query     text collate "C" not null,
      hash      bytea not null,
      primary key (brand_key, query_key),
      unique (brand_key, hash)
    )`,
    `create table runs (
      brand_key    integer not null,
      id           text collate "C" not null,
      day          date not null,
      collected_at timestamptz not null,
      prompt_key   integer not null,
      engine       text collate "C" not null,
      region       text not null,
      model        text not null,
      m_name       integer[] not null,
      m_order      integer[] not null,
      m_tone       smallint[] not null,
      m_evidence   text[] not null,
      c_url        integer[] not null,
      c_title      integer[] not null,
      f_query      integer[] not null,
      quotes_negative integer not null,
      quotes_neutral  integer not null,
      quotes_positive integer not null,
      primary key (brand_key, id)
    )`,
    'create index runs_by_day on runs (brand_key, day desc, id desc)',
    'create index runs_negative on runs (brand_key, day desc, id desc) where quotes_negative > 0',
    'create index runs_neutral on runs (brand_key, day desc, id desc) where quotes_neutral > 0',
    'create index runs_positive on runs (brand_key, day desc, id desc) where quotes_positive > 0',
    `create table run_answers (
      brand_key integer not null,
      run_id    text collate "C" not null,
      answer    text not null,
      primary key (brand_key, run_id)
    )`,
    `create table carousels (
      brand_key integer not null,
      day       date not null,
      run_id    text collate "C" not null,
      carousel  integer not null,
      engine    text collate "C" not null,
      primary key (brand_key, day, run_id, carousel)
    )`,
    `create table placements (
      brand_key    integer not null,
      day          date not null,
      run_id       text collate "C" not null,
      carousel     integer not null,
      position     integer not null,
      slot         integer not null,
      product      text not null,
      url          text,
      merchant     text,
      price        text,
      price_amount double precision,
      currency     text,
      is_own       boolean,
      primary key (brand_key, day, run_id, carousel, position)
    )`,
    `create table ads (
      brand_key      integer not null,
      day            date not null,
      run_id         text collate "C" not null,
      engine         text not null,
      prompt_key     integer not null,
      captured_at    timestamptz not null,
      advertiser     text,
      advertiser_url text,
      favicon_url    text,
      cards          jsonb not null,
      primary key (brand_key, day, run_id)
    )`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop table mention_names, cited_domains, domain_entities, cited_urls, page_titles, fanout_queries, runs, run_answers, carousels, placements, ads',
  );
}
