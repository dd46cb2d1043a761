/**
 * Runs with their children as arrays, and the dictionaries those arrays point into. Long texts have no index of their own (a
 * B-tree entry ends at 2,704 bytes): dictionaries are unique by SHA-256 of the text.
 */
export const runs: readonly string[] = [
  `create table mention_names (
    brand_key integer not null,
    name_key  integer not null,
    name      text not null,
    hash      bytea not null,
    entity    integer,
    primary key (brand_key, name_key),
    unique (brand_key, hash)
  )`,
  // Reads of chosen runs look up the names and the pages of an entity, instead of reading every name and page.
  'create index tracked_names on mention_names (brand_key, entity) where entity is not null',
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
  'create index cited_urls_by_domain on cited_urls (brand_key, domain_key)',
  `create index cited_urls_of_forums on cited_urls (brand_key, url_key) where page_type = 'forum'`,
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
  // `surface` says how a run was collected; empty: not stated. `observes`: of what it observes none is an absence.
  // `tracked_names`: only the names that were tracked were looked for in its answer.
  `create table runs (
    brand_key       integer not null,
    id              text collate "C" not null,
    day             date not null,
    collected_at    timestamptz not null,
    prompt_key      integer not null,
    engine          text collate "C" not null,
    region          text not null,
    model           text not null,
    m_name          integer[] not null,
    m_order         integer[] not null,
    m_tone          smallint[] not null,
    m_evidence      text[] not null,
    c_url           integer[] not null,
    c_title         integer[] not null,
    f_query         integer[] not null,
    quotes_negative integer not null,
    quotes_neutral  integer not null,
    quotes_positive integer not null,
    surface         text collate "C" not null default '',
    states_outcome  boolean not null default false,
    observes        smallint not null default 0,
    tracked_names   boolean not null default false,
    primary key (brand_key, id)
  )`,
  'create index runs_by_day on runs (brand_key, day desc, id desc)',
  // Finds the runs of some prompts on some engines or in some regions without reading the others.
  'create index runs_by_prompt on runs (brand_key, prompt_key, engine, day, region)',
  // The newest runs with a quote are looked up engine by engine, so that a rare engine costs what a common one does.
  ...['negative', 'neutral', 'positive'].map(
    (tone) =>
      `create index runs_${tone} on runs (brand_key, engine, day desc, id desc) where quotes_${tone} > 0`,
  ),
  `create table run_answers (
    brand_key integer not null,
    run_id    text collate "C" not null,
    answer    text not null,
    primary key (brand_key, run_id)
  )`,
  // Runs without an answer, so that no statement about runs can count them.
  `create table unshown_runs (
    brand_key    integer not null,
    id           text collate "C" not null,
    prompt_key   integer not null,
    day          date not null,
    collected_at timestamptz not null,
    engine       text collate "C" not null,
    region       text collate "C" not null,
    model        text collate "C" not null,
    surface      text collate "C" not null,
    observes     smallint not null,
    primary key (brand_key, id)
  )`,
  'create index unshown_runs_by_day on unshown_runs (brand_key, day, id)',
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
];
