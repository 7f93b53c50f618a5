/**
 * Waits of runs for events, and how the two find each other (`store/event-waits/`).
 *
 * An event does not know which paths the waits compare, and a wait does not know which events came before it. So each
 * path list in use for a type is kept, and an event gets one key for each: then both sides are found by an index.
 */
export const eventWaits = `
-- One row per wait and event type. It is a row of its own beside fermata.waits since it is made before a record is told.
create table fermata.event_waits (
  tenant text not null,
  wait_id text not null,
  type text not null,
  run_id text not null,
  node_id text not null,
  correlation text not null,
  -- what the wait compares, as people may see it
  expected json not null,
  filter text,
  -- events that were accepted before it are not meant
  since timestamptz(3) not null,
  registered_at timestamptz(3) not null default clock_timestamp(),
  closed_at timestamptz(3),
  -- id of the event that ended it
  took text,
  -- the latest events that its filter did not let through
  missed json,
  primary key (tenant, wait_id, type)
);
create index event_waits_open on fermata.event_waits (tenant, type, correlation) where closed_at is null;
create index event_waits_of_run on fermata.event_waits (tenant, run_id, took);
create index event_waits_took on fermata.event_waits (tenant, took) where took is not null;

-- Which paths waits of a type compare, and from when on every event of the type has its key for them.
create table fermata.event_wait_paths (
  tenant text not null,
  type text not null,
  paths text not null,
  complete_from timestamptz(3),
  primary key (tenant, type, paths)
);

create table fermata.event_keys (
  tenant text not null,
  event_id text not null,
  correlation text not null,
  type text not null,
  accepted_at timestamptz(3) not null,
  -- order of arrival within a millisecond
  position bigint generated always as identity,
  primary key (tenant, event_id, correlation)
);
create index event_keys_arrival on fermata.event_keys (tenant, correlation, type, accepted_at, position);
create index events_of_type on fermata.events (tenant, type, accepted_at, id);

-- One row per event and wait that it was for.
create table fermata.wait_deliveries (
  tenant text not null,
  event_id text not null,
  wait_id text not null,
  run_id text not null,
  node_id text not null,
  status text not null check (status in ('pending', 'delivered', 'ended')),
  primary key (tenant, event_id, wait_id)
);

-- What runs emitted, as their records tell it.
create table fermata.emitted (
  tenant text not null,
  run_id text not null,
  seq integer not null,
  emitted json not null,
  primary key (tenant, run_id, seq)
);
`;
