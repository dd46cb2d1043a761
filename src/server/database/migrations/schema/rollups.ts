/**
 * Daily roll-ups, so that a read costs the same however many runs a brand has. A brand's day is always rebuilt whole from its
 * runs, which makes the result independent of the order in which runs arrived. Position weights are integers
 * (10⁹ / log2(1 + order)), so sums are exact and free of order. Lists have, at the same place, what belongs to one key: a row
 * for each key took several times as long to write, and most of the size.
 */
export const rollups: readonly string[] = [
  `create table day_scope (
    brand_key          integer not null,
    day                date not null,
    engine             text collate "C" not null,
    run_count          integer not null,
    citations          integer not null,
    quotes             integer not null,
    ad_observers       integer not null default 0,
    carousel_observers integer not null default 0,
    tracked_runs       integer not null default 0,
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
  `create table day_tracked_url (
    brand_key integer not null,
    url_key   integer not null,
    day       date not null,
    citations integer not null,
    answers   integer not null,
    engines   integer not null,
    primary key (brand_key, url_key, day)
  )`,
  `create table day_prompt_domains (
    brand_key         integer not null,
    day               date not null,
    prompt_key        integer not null,
    domain_keys       integer[] not null,
    citations         integer[] not null,
    present_citations integer[] not null,
    primary key (brand_key, day, prompt_key)
  )`,
  `create table day_engine_domains (
    brand_key         integer not null,
    day               date not null,
    engine            text collate "C" not null,
    domain_keys       integer[] not null,
    citations         integer[] not null,
    present_citations integer[] not null,
    primary key (brand_key, day, engine)
  )`,
  `create table day_prompt_own_urls (
    brand_key  integer not null,
    day        date not null,
    prompt_key integer not null,
    url_keys   integer[] not null,
    citations  integer[] not null,
    primary key (brand_key, day, prompt_key)
  )`,
  `create table day_engine_own_urls (
    brand_key integer not null,
    day       date not null,
    engine    text collate "C" not null,
    url_keys  integer[] not null,
    citations integer[] not null,
    primary key (brand_key, day, engine)
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

  // Of each engine and day the newest run that has answer text and mentions the brand: what a fact check compares.
  `create table day_newest_answer (
    brand_key integer not null,
    engine    text collate "C" not null,
    day       date not null,
    run_id    text collate "C" not null,
    primary key (brand_key, engine, day)
  )`,

  // Which prompts, models, surfaces and regions the runs of a day have: what two windows have in common. A panel is the hash of
  // all prompts of a day, so that days with the same prompts are recognised without reading them.
  `create table day_engine_prompts (
    brand_key       integer not null,
    day             date not null,
    engine          text collate "C" not null,
    prompt_keys     integer[] not null,
    run_counts      integer[] not null,
    brand_runs      integer[] not null,
    brand_positions bigint[] not null,
    brand_weights   bigint[] not null,
    brand_positives integer[] not null,
    brand_neutrals  integer[] not null,
    brand_negatives integer[] not null,
    brand_citations integer[] not null,
    citations       integer[] not null,
    presences       integer[] not null,
    primary key (brand_key, day, engine)
  )`,
  `create table day_panel (
    brand_key  integer not null,
    day        date not null,
    engine     text collate "C" not null,
    run_count  integer not null,
    panel_hash text not null,
    primary key (brand_key, day, engine)
  )`,
  `create table day_model (
    brand_key integer not null,
    day       date not null,
    engine    text collate "C" not null,
    model     text collate "C" not null,
    run_count integer not null,
    primary key (brand_key, engine, model, day)
  )`,
  'create index day_model_by_day on day_model (brand_key, day)',
  `create table day_surface (
    brand_key integer not null,
    day       date not null,
    engine    text collate "C" not null,
    surface   text collate "C" not null,
    run_count integer not null,
    primary key (brand_key, day, engine, surface)
  )`,
  `create table day_region (
    brand_key integer not null,
    day       date not null,
    region    text collate "C" not null,
    run_count integer not null,
    primary key (brand_key, region, day)
  )`,
  'create index day_region_by_day on day_region (brand_key, day)',
  // The prompts with runs that state their outcome, and how many of these have no answer.
  `create table day_outcomes (
    brand_key    integer not null,
    day          date not null,
    engine       text collate "C" not null,
    region       text collate "C" not null,
    surface      text collate "C" not null,
    prompt_keys  integer[] not null,
    unshown_runs integer[] not null,
    primary key (brand_key, day, engine, region, surface)
  )`,

  // Sums of slices, with a place of each list for an entity: of a prompt and of a region on the blended engines, and of a
  // region and surface on each engine.
  `create table day_prompt_entities (
    brand_key  integer not null,
    day        date not null,
    prompt_key integer not null,
    ${ofEntities()},
    primary key (brand_key, day, prompt_key)
  )`,
  `create table day_region_entities (
    brand_key  integer not null,
    day        date not null,
    region     text collate "C" not null,
    ${ofEntities()},
    ${ofPrompts()},
    primary key (brand_key, day, region)
  )`,
  // What a list of many brands needs: a row a day, of the blended engines, with the hash of all prompts.
  `create table day_brand (
    brand_key    integer not null,
    day          date not null,
    run_count    integer not null,
    presences    bigint not null,
    present_runs bigint not null,
    weight_sum   bigint not null,
    surfaces     text[] collate "C" not null,
    surface_runs integer[] not null,
    entities     integer[] not null,
    entity_runs  integer[] not null,
    panel_hash   text not null,
    primary key (brand_key, day)
  )`,
  `create table day_engine_region_entities (
    brand_key  integer not null,
    day        date not null,
    engine     text collate "C" not null,
    region     text collate "C" not null,
    surface    text collate "C" not null,
    ${ofEntities()},
    ${ofPrompts()},
    primary key (brand_key, day, engine, region, surface)
  )`,

  // What answers that name a rival and not the brand cite, by domain and by prompt, and the answers that name the brand second
  // to fourth. Lists are null where there are none.
  `create table day_rival_domain (
    brand_key     integer not null,
    day           date not null,
    domain_key    integer not null,
    answers       integer not null,
    engines       integer not null,
    prompt_keys   integer[] not null,
    rivals        integer[] not null,
    rival_answers integer[] not null,
    primary key (brand_key, day, domain_key)
  )`,
  `create table day_rival_prompt (
    brand_key      integer not null,
    day            date not null,
    prompt_key     integer not null,
    second         integer not null,
    third          integer not null,
    fourth         integer not null,
    leaders        integer[],
    leader_answers integer[],
    rivals         integer[],
    rival_answers  integer[],
    domain_keys    integer[],
    domain_answers integer[],
    primary key (brand_key, day, prompt_key)
  )`,

  // A product is identified by the hash of its folded name and merchant domain; its day's row points at the placement whose
  // values are the newest.
  `create table day_carousel (
    brand_key      integer not null,
    day            date not null,
    engine         text collate "C" not null,
    carousels      integer not null,
    own_carousels  integer not null,
    own_wins       integer not null,
    own_placements integer not null,
    own_slot_sum   bigint not null,
    primary key (brand_key, day, engine)
  )`,
  `create table day_product (
    brand_key       integer not null,
    day             date not null,
    product_hash    bytea not null,
    placements      integer not null,
    carousels       integer not null,
    first_slots     integer not null,
    slot_sum        bigint not null,
    weight_sum      bigint not null,
    newest_run      text collate "C" not null,
    newest_carousel integer not null,
    newest_position integer not null,
    newest_is_own   boolean not null,
    primary key (brand_key, day, product_hash)
  )`,

  // Computed and imported statistics of one day stand side by side, so that the computed ones win without a trace of the order
  // in which they came. Without visibility: the entity was not measured on the day.
  `create table daily_stats (
    brand_key               integer not null,
    entity                  integer not null,
    engine                  text collate "C" not null,
    day                     date not null,
    run_count               integer not null,
    visibility              double precision,
    presence_rate           double precision,
    share_of_voice_fraction double precision,
    citation_share          double precision,
    sentiment_index         double precision,
    imported                boolean not null,
    primary key (brand_key, day, engine, entity, imported)
  )`,
];

function ofEntities(): string {
  return `run_count        integer not null,
    citations        integer not null,
    surfaces         text[] collate "C" not null,
    surface_runs     integer[] not null,
    entities         integer[] not null,
    present_runs     integer[] not null,
    position_sums    bigint[] not null,
    weight_sums      bigint[] not null,
    positives        integer[] not null,
    neutrals         integer[] not null,
    negatives        integer[] not null,
    entity_citations integer[] not null`;
}

function ofPrompts(): string {
  return `prompt_keys      integer[] not null,
    prompt_runs      integer[] not null`;
}
