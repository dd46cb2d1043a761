/** What is tracked for a brand. Entity 0 is always the brand itself; competitors count from 1. */
export const catalog: readonly string[] = [
  // The number of a competitor that is retired stays taken, because roll-ups of pruned days have it.
  `create table competitors (
    brand_key  integer not null,
    id         text collate "C" not null,
    entity     integer not null,
    name       text not null,
    domain     text not null,
    aliases    text[] not null,
    created_at timestamptz,
    retired_at timestamptz,
    primary key (brand_key, id),
    unique (brand_key, entity)
  )`,
  // Entities that were added later, whose names stored answers were not searched for. Days before `measured_since` are not
  // measured, days before `spelled_since` lack a spelling, and of days before `cited_since` not even citations are known; null:
  // no day. Answers from before `kept_before` were searched while the entity was tracked before.
  `create table name_gaps (
    brand_key      integer not null,
    entity         integer not null,
    measured_since date,
    spelled_since  date,
    cited_since    date,
    kept_before    date,
    primary key (brand_key, entity)
  )`,
  `create table topics (
    brand_key integer not null,
    id        text collate "C" not null,
    name      text not null,
    primary key (brand_key, id)
  )`,
  `create table prompts (
    brand_key           integer not null,
    id                  text collate "C" not null,
    prompt_key          integer not null,
    text                text not null,
    stage               text not null,
    topic_id            text collate "C",
    tags                text[] not null,
    active              boolean not null,
    created_at          timestamptz,
    est_volume          double precision,
    est_volume_low      double precision,
    est_volume_high     double precision,
    volume_confidence   text,
    matched_gsc_query   text,
    gsc_impressions_28d bigint,
    primary key (brand_key, id),
    unique (brand_key, prompt_key)
  )`,
  `create table tag_groups (
    brand_key  integer not null,
    id         text collate "C" not null,
    name       text not null,
    color      text not null,
    tags       text[] not null,
    created_at timestamptz,
    primary key (brand_key, id)
  )`,
  // What somebody did on a day, and for which prompts. Lists are null where the mark states none; `planned`: a plan file states it,
  // and removes it.
  `create table marks (
    brand_key integer not null,
    id        text collate "C" not null,
    day       date not null,
    text      text not null,
    url       text,
    prompts   text[],
    topics    text[],
    tags      text[],
    pages     text[],
    engines   text[],
    planned   boolean not null,
    primary key (brand_key, id)
  )`,
  `create table reclassifications (
    workspace_id   text collate "C" not null,
    domain         text collate "C" not null,
    classification text not null,
    primary key (workspace_id, domain)
  )`,
  `create table knowledge_bases (
    brand_key integer primary key,
    text      text not null
  )`,
];
