/** Where a database that Citus distributes keeps each table. Every table of the schema is in this list. */

/**
 * `distributed`: by `brand_key`, all rows of a brand on one node, so that each statement about a brand runs on one node.
 * `local`: on the coordinator. Citus can also copy a table to every node, but then each change of a row waits for all
 * other transactions that changed the table, which would queue the imports of all brands.
 */
export type Placement = 'distributed' | 'local';

/** The first distributed table. The others are colocated with it. */
export const FIRST_TABLE = 'runs';

export const tables: Readonly<Record<string, Placement>> = {
  [FIRST_TABLE]: 'distributed',
  ads: 'distributed',
  brand_versions: 'distributed',
  carousels: 'distributed',
  cited_domains: 'distributed',
  cited_urls: 'distributed',
  community_threads: 'distributed',
  competitors: 'distributed',
  crawler_connections: 'distributed',
  crawler_events: 'distributed',
  daily_stats: 'distributed',
  day_carousel: 'distributed',
  day_domain: 'distributed',
  day_engine_prompts: 'distributed',
  day_entity: 'distributed',
  day_fanout: 'distributed',
  day_model: 'distributed',
  day_newest_answer: 'distributed',
  day_panel: 'distributed',
  day_product: 'distributed',
  day_prompt: 'distributed',
  day_prompt_domains: 'distributed',
  day_prompt_own_urls: 'distributed',
  day_region: 'distributed',
  day_scope: 'distributed',
  day_surface: 'distributed',
  day_tracked_url: 'distributed',
  day_url: 'distributed',
  domain_entities: 'distributed',
  fact_check_slots: 'distributed',
  fact_checks: 'distributed',
  fanout_queries: 'distributed',
  knowledge_bases: 'distributed',
  mention_names: 'distributed',
  offsite_mentions: 'distributed',
  page_titles: 'distributed',
  placements: 'distributed',
  prompts: 'distributed',
  run_answers: 'distributed',
  site_pages: 'distributed',
  tag_groups: 'distributed',
  topics: 'distributed',
  tracked_pages: 'distributed',
  visit_days: 'distributed',

  api_keys: 'local',
  brands: 'local',
  ended_sessions: 'local',
  fanout_volumes: 'local',
  import_locks: 'local',
  knex_migrations: 'local',
  knex_migrations_lock: 'local',
  rate_buckets: 'local',
  reclassifications: 'local',
  secrets: 'local',
  sign_in_links: 'local',
  workspaces: 'local',
  youtube_videos: 'local',
};

/** The names of the distributed tables; the first one is `FIRST_TABLE`. */
export const distributedTables: readonly string[] = Object.keys(tables).filter(
  (name) => tables[name] === 'distributed',
);
