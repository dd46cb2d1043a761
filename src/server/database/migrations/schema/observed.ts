/** What else was observed for a brand: crawler hits, fact checks, pages, visits, threads, videos. */
export const observed: readonly string[] = [
  `create table crawler_events (
    brand_key   integer not null,
    dedupe_key  bytea not null,
    agent       text collate "C" not null,
    path        text collate "C" not null,
    time        timestamptz not null,
    status      smallint,
    verified    boolean,
    received_at timestamptz not null,
    primary key (brand_key, dedupe_key)
  )`,
  'create index crawler_events_by_time on crawler_events (brand_key, time desc) include (agent)',
  // Lists the agents of a brand by one index step for each, however many hits there are.
  'create index crawler_events_by_agent on crawler_events (brand_key, agent)',
  // Address ranges that operators of crawlers publish, newer than those of the package.
  `create table address_lists (
    name       text collate "C" primary key,
    created    text,
    fetched_at timestamptz not null,
    prefixes   jsonb not null
  )`,
  // The hits of a week by path and agent; lists have a sum for each day, from Monday on. The path itself may be too long for a key.
  `create table crawler_weeks (
    brand_key integer not null,
    week      date not null,
    hash      bytea not null,
    agent     text collate "C" not null,
    path      text not null,
    is_page   boolean not null,
    requests  integer[] not null,
    refused   integer[] not null,
    served    integer[] not null,
    unstated  integer[] not null,
    primary key (brand_key, week, hash, agent)
  )`,
  // Pages alone, of the agents that answers depend on together: a site has fewer of them than of pages and agents. fetched has a
  // bit for each day, from Monday on, on which one of them got the page.
  `create table crawler_page_weeks (
    brand_key integer not null,
    week      date not null,
    hash      bytea not null,
    requests  integer[] not null,
    fetched   integer not null,
    primary key (brand_key, week, hash)
  )`,
  `create table crawler_connections (
    brand_key     integer primary key,
    last_event_at timestamptz not null,
    data_version  bigint not null
  )`,
  // Page views of people whom an answer sent. No row has anything of a person: a visitor is a hash whose salt is destroyed after
  // some days, and a key of a page view is made of neither address nor user agent.
  `create table referral_days (
    brand_key       integer not null,
    day             date not null,
    product         text collate "C" not null,
    hash            bytea not null,
    path            text not null,
    visits          integer not null,
    pageviews       integer not null,
    without_visitor integer not null,
    primary key (brand_key, day, product, hash)
  )`,
  `create table referral_scope (
    brand_key integer not null,
    day       date not null,
    primary key (brand_key, day)
  )`,
  `create table referral_keys (
    brand_key integer not null,
    day       date not null,
    key       bytea not null,
    primary key (brand_key, day, key)
  )`,
  `create table referral_visitors (
    brand_key integer not null,
    day       date not null,
    visitor   bytea not null,
    primary key (brand_key, day, visitor)
  )`,
  `create table visitor_salts (
    day  date primary key,
    salt bytea not null
  )`,
  `create table fact_checks (
    brand_key       integer primary key,
    checked_at      text not null,
    answers_checked integer not null,
    cost_usd        double precision,
    discrepancies   jsonb not null
  )`,
  `create table fact_check_slots (
    brand_key   integer primary key,
    holder      text not null,
    started_at  timestamptz not null,
    ended_at    timestamptz,
    lease_until timestamptz not null,
    day         date not null,
    spent       integer not null
  )`,
  `create table youtube_videos (
    video_id     text collate "C" primary key,
    title        text,
    channel_id   text,
    channel_name text,
    published_at timestamptz,
    views        bigint,
    likes        bigint,
    stats_as_of  timestamptz
  )`,
  `create table offsite_mentions (
    brand_key integer not null,
    id        text collate "C" not null,
    week      date not null,
    kind      text not null,
    entity    integer not null,
    title     text not null,
    url       text not null,
    found_at  timestamptz not null,
    primary key (brand_key, id)
  )`,
  `create table tracked_pages (
    brand_key integer not null,
    url_key   integer not null,
    title     text,
    added_at  timestamptz,
    ranks     jsonb,
    primary key (brand_key, url_key)
  )`,
  `create table site_pages (
    brand_key  integer not null,
    hash       bytea not null,
    url        text not null,
    status     integer not null,
    bot_wall   boolean not null,
    ttfb_ms    double precision,
    checked_at timestamptz not null,
    primary key (brand_key, hash)
  )`,
  `create table visit_days (
    brand_key integer not null,
    day       date not null,
    hash      bytea not null,
    path      text not null,
    visits    bigint not null,
    ai_source text,
    country   text,
    primary key (brand_key, day, hash)
  )`,
  `create table community_threads (
    brand_key       integer not null,
    url_key         integer not null,
    title           text,
    kind            text,
    brand_in_thread boolean,
    checked_at      timestamptz,
    primary key (brand_key, url_key)
  )`,
  `create table fanout_volumes (
    hash        bytea primary key,
    query       text not null,
    volume      double precision not null,
    measured_at timestamptz not null
  )`,
];
