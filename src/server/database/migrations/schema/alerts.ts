/**
 * What was told of a brand, and to whom. An event is stored once, whoever finds it again; a delivery is one event for one
 * destination.
 */
export const alerts: readonly string[] = [
  // A move that the data no longer support is withdrawn, and kept, so that it is not told again.
  `create table moves (
    brand_key integer not null,
    id        text collate "C" not null,
    kind      text collate "C" not null,
    subject   text collate "C" not null,
    direction text collate "C",
    day       date not null,
    facts     jsonb not null,
    told_at   timestamptz not null,
    withdrawn boolean not null,
    primary key (brand_key, id)
  )`,
  'create index moves_by_day on moves (brand_key, day desc, id desc)',
  // What robots.txt and the pages of a site were like last, because a change of them is told.
  `create table site_states (
    brand_key integer primary key,
    robots    jsonb,
    pages     jsonb
  )`,
  // What people set aside, with the facts that it had then.
  `create table needs_aside (
    brand_key integer not null,
    id        text collate "C" not null,
    reason    text collate "C" not null,
    facts     jsonb not null,
    set_at    timestamptz not null,
    key_id    text collate "C" not null,
    primary key (brand_key, id)
  )`,
  `create table events (
    id       text collate "C" primary key,
    brand_id text collate "C" not null,
    type     text collate "C" not null,
    at       timestamptz not null,
    data     json not null
  )`,
  'create index events_by_time on events (at)',
  // Addresses and secrets are sealed with a secret of the deployment.
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
  // One a UTC day. Only the journal that has the calls of a day may send more of them, so that no two machines pay for the
  // same answers. A row without a journal is planned, or was missed.
  `create table collections (
    brand_key   integer not null,
    day         date not null,
    due_at      timestamptz,
    journal     text collate "C",
    host        text,
    started_at  timestamptz,
    ended_at    timestamptz,
    outcome     text collate "C",
    reason      text,
    remedy      text collate "C",
    calls       integer,
    cost_usd    double precision,
    assumed_usd double precision,
    answered    integer,
    missing     integer,
    waiting     integer,
    primary key (brand_key, day)
  )`,
  // What was changed in the plan of a brand by its page or by commands.
  `create table plan_changes (
    brand_key integer not null,
    id        integer not null,
    at        timestamptz not null,
    words     text not null,
    token     text not null,
    key_id    text collate "C",
    primary key (brand_key, id)
  )`,
];
