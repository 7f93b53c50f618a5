/**
 * The first tables: definitions, events, runs and their records, decisions, handlers.
 *
 * Why no foreign keys between records and runs: a record may be written before the row of its run, by another process,
 * and records are projections that the reconciler makes exact; a constraint would only make a lost line lose others.
 */
export const foundations = `
create table fermata.definitions (
  tenant text not null,
  id text not null,
  enabled boolean not null,
  active_version integer,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant, id)
);

create table fermata.definition_versions (
  tenant text not null,
  id text not null,
  version integer not null check (version >= 1),
  hash text not null,
  document text not null,
  -- derived from the document: its name, event triggers and own "enabled", so that neither a list nor the index of
  -- subscriptions reads 100,000 documents
  name text,
  triggers json not null,
  enabled boolean not null,
  bindings json not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant, id, version),
  -- one content is one version; the hash first, for runs that carry their definition by reference
  unique (tenant, hash, id),
  foreign key (tenant, id) references fermata.definitions (tenant, id)
);

alter table fermata.definitions
  add foreign key (tenant, id, active_version) references fermata.definition_versions (tenant, id, version);

-- A version is immutable. Only commands whose handler nobody knew at publishing may still get their binding.
create function fermata.refuse_version_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.tenant, new.id, new.version, new.hash, new.document, new.name, new.triggers::text, new.enabled, new.created_at)
      is not distinct from
      (old.tenant, old.id, old.version, old.hash, old.document, old.name, old.triggers::text, old.enabled, old.created_at)
      and new.bindings::jsonb @> old.bindings::jsonb
    then
      return new;
    end if;
    raise exception 'version % of definition "%" is immutable', old.version, old.id using errcode = 'restrict_violation';
  end if;
  raise exception 'versions of definitions are never deleted' using errcode = 'restrict_violation';
end
$$;
create trigger definition_versions_immutable before update or delete on fermata.definition_versions
  for each row execute function fermata.refuse_version_change();
create trigger definition_versions_kept before truncate on fermata.definition_versions
  for each statement execute function fermata.refuse_version_change();

create table fermata.events (
  tenant text not null,
  id text not null,
  type text not null,
  content_hash text not null,
  given_time text,
  body json not null,
  unmatched json not null,
  accepted_at timestamptz(3) not null default clock_timestamp(),
  lease_until timestamptz(3) not null,
  done_at timestamptz(3),
  primary key (tenant, id)
);
create index events_unfinished on fermata.events (accepted_at) where done_at is null;

-- The guard "one run per definition and event, for ever". It outlives the event's body and the run's rows.
create table fermata.deliveries (
  tenant text not null,
  event_id text not null,
  definition_id text not null,
  version integer not null,
  run_id text,
  status text not null check (status in ('pending', 'started', 'refused')),
  error json,
  settled_at timestamptz(3),
  primary key (tenant, event_id, definition_id)
);

create table fermata.runs (
  tenant text not null,
  run_id text not null,
  definition_id text not null,
  version integer,
  hash text,
  state text not null check (state in ('pending', 'running', 'paused', 'completed', 'failed', 'cancelled')),
  state_at timestamptz(3) not null,
  input json,
  output json,
  error json,
  vars json,
  event_id text,
  initiator json,
  entity_type text,
  entity_id text,
  temporal_run_id text,
  created_at timestamptz(3) not null default clock_timestamp(),
  started_at timestamptz(3),
  -- set with the last state record only, which also says how many records the run has
  completed_at timestamptz(3),
  expected_visits integer,
  expected_commands integer,
  -- of the reconciler: last record written, last look at the run, next look, found to be whole
  recorded_at timestamptz(3) not null default clock_timestamp(),
  checked_at timestamptz(3),
  check_after timestamptz(3),
  whole_at timestamptz(3),
  primary key (tenant, run_id)
) with (fillfactor = 80);
create index runs_newest on fermata.runs (tenant, created_at desc, run_id desc);
create index runs_of_definition on fermata.runs (tenant, definition_id, created_at desc, run_id desc);
create index runs_in_state on fermata.runs (tenant, state, created_at desc, run_id desc);
create index runs_of_event on fermata.runs (tenant, event_id) where event_id is not null;
create index runs_about on fermata.runs (tenant, entity_type, entity_id) where entity_id is not null;
-- Times that change with every record are in no index, so that writing records stays a heap-only update.
create index runs_to_reconcile on fermata.runs (created_at) where whole_at is null;

create table fermata.visits (
  tenant text not null,
  run_id text not null,
  seq integer not null,
  node_id text not null,
  path text not null,
  visit integer not null,
  type text not null,
  outcome text,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  error json,
  primary key (tenant, run_id, seq)
) with (fillfactor = 80);

create table fermata.commands (
  tenant text not null,
  run_id text not null,
  seq integer not null,
  command_id text not null,
  node_id text not null,
  type text not null,
  handler_version integer not null,
  payload json not null,
  state text not null,
  -- how far the state is: a record never takes a command back to a lower rank
  state_rank smallint not null,
  result json,
  error json,
  ordered_at timestamptz(3) not null,
  finished_at timestamptz(3),
  undoes text,
  primary key (tenant, run_id, seq)
) with (fillfactor = 80);

-- Told by the workers that call handlers, who know a command by its id and not by its place in the run's story.
create table fermata.attempts (
  tenant text not null,
  run_id text not null,
  command_id text not null,
  attempts integer not null,
  executed_at timestamptz(3) not null,
  primary key (tenant, run_id, command_id)
) with (fillfactor = 80);

-- What visits wait for; an open approval is a wait with a task.
create table fermata.waits (
  tenant text not null,
  run_id text not null,
  seq integer not null,
  definition_id text not null,
  node_id text not null,
  kind text not null,
  since timestamptz(3) not null,
  until timestamptz(3),
  open boolean not null,
  waiting json not null,
  task_id text,
  users text[] not null,
  roles text[] not null,
  queues text[] not null,
  primary key (tenant, run_id, seq)
);
create unique index waits_task on fermata.waits (tenant, task_id) where task_id is not null;
create index approvals_oldest on fermata.waits (tenant, since, task_id) where task_id is not null and open;
create index approvals_for on fermata.waits using gin (users, roles, queues) where task_id is not null and open;

-- The audit of decisions as the runs told it, counted and refused.
create table fermata.decisions (
  tenant text not null,
  run_id text not null,
  digest text not null,
  task_id text,
  node_id text not null,
  by_id text not null,
  counted boolean not null,
  handled_at timestamptz(3) not null,
  record json not null,
  primary key (tenant, run_id, digest)
);
create index decisions_of_task on fermata.decisions (tenant, task_id, handled_at) where task_id is not null;

-- Decisions on their way to their run: written first, delivered until the run has answered.
create table fermata.decision_outbox (
  tenant text not null,
  id text not null,
  task_id text not null,
  run_id text not null,
  decision json not null,
  door text not null,
  submitted_at timestamptz(3) not null default clock_timestamp(),
  lease_until timestamptz(3) not null,
  deliveries integer not null default 0,
  last_error text,
  answered_at timestamptz(3),
  answer json,
  primary key (tenant, id)
);
create index decision_outbox_unanswered on fermata.decision_outbox (submitted_at) where answered_at is null;

create table fermata.handlers (
  tenant text not null,
  type text not null,
  version integer not null,
  manifest json not null,
  reported_by text not null,
  first_seen timestamptz(3) not null default clock_timestamp(),
  last_seen timestamptz(3) not null default clock_timestamp(),
  primary key (tenant, type, version)
);
`;
