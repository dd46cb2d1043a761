/** Workspaces, brands, keys, sessions and links: the small tables that every request is checked against. */
export const accounts: readonly string[] = [
  `create table workspaces (
    id   text collate "C" primary key,
    name text not null,
    plan text not null
  )`,
  // Runs of all days since `runs_since` are stored; null: none was ever pruned. Roll-ups of earlier days are final.
  // `needs` are those of the briefing as last counted; null: not counted. `needs_of` says of which day and data.
  `create table brands (
    brand_key    integer primary key,
    id           text collate "C" not null unique,
    workspace_id text collate "C" not null,
    name         text not null,
    domain       text not null,
    aliases      text[] not null,
    created_at   timestamptz,
    archived_at  timestamptz,
    data_version bigint not null default 0,
    runs_since   date,
    needs        integer,
    needs_of     text collate "C"
  )`,
  'create index brands_by_workspace on brands (workspace_id)',
  // A distributed database keeps it with the data, so that a change of both is visible at once. A version in `brands`, which
  // is elsewhere, can be visible before the data. `names_since` is the last day of `name_gaps` of the brand, so that a read of a
  // brand without gaps looks for none. Answers of `search_day` and later are searched for new names, and of the day before it
  // those whose id is not less than `search_after`; null: no search is due.
  `create table brand_versions (
    brand_key    integer primary key,
    data_version bigint not null,
    collected    boolean not null,
    names_since  date,
    search_day   date,
    search_after text collate "C"
  )`,
  'create table import_locks (brand_key integer primary key)',
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
  `create unlogged table rate_buckets (
    bucket  text collate "C" primary key,
    tokens  double precision not null,
    at      double precision not null,
    granted boolean not null
  )`,
  // Secrets of the deployment.
  `create table secrets (
    name  text primary key,
    value bytea not null
  )`,
  // Of links, sessions and their keys only the SHA-256 is stored. A link to sign in works once; a session is listed here if it
  // was ended before its expiry; a share shows a brand to people without a key.
  `create table sign_in_links (
    link_hash   bytea primary key,
    secret_hash bytea not null,
    expires_at  timestamptz not null
  )`,
  `create table ended_sessions (
    session_hash bytea primary key,
    expires_at   timestamptz not null
  )`,
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
  // People who signed in by an OpenID provider, each once in a workspace: `secret_hash` stands where that of a key stands.
  `create table people (
    id           text collate "C" primary key,
    issuer       text collate "C" not null,
    subject      text collate "C" not null,
    workspace_id text collate "C" not null,
    secret_hash  bytea not null unique,
    name         text not null,
    email        text,
    groups       text[] not null,
    created_at   timestamptz not null,
    signed_in_at timestamptz not null,
    revoked_at   timestamptz,
    unique (issuer, subject, workspace_id)
  )`,
  // What assistants may do that people connected by OAuth: the key for which a grant stands, and what of it was granted.
  `create table oauth_grants (
    id          text collate "C" primary key,
    secret_hash bytea not null,
    key_id      text collate "C" not null,
    client_id   text collate "C" not null,
    client_name text not null,
    brand_ids   text[],
    created_at  timestamptz not null,
    used_at     timestamptz
  )`,
  'create index oauth_grants_by_key on oauth_grants (secret_hash, created_at)',
  // What the authorization server keeps: clients, interactions, codes, tokens. Of their secrets only the SHA-256 is stored.
  `create table oauth_records (
    model       text collate "C" not null,
    id_hash     bytea not null,
    grant_id    text collate "C",
    payload     jsonb not null,
    created_at  timestamptz not null,
    expires_at  timestamptz,
    consumed_at timestamptz,
    primary key (model, id_hash)
  )`,
  'create index oauth_records_by_grant on oauth_records (grant_id)',
];
