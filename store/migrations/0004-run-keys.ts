/**
 * Keys: which run of a definition has a key, and which runs wait for it in which order.
 *
 * Why the closing record only marks the key: it is written a moment before Temporal has closed the run, which a signal
 * that comes just then still prevents. Whoever frees a key asks Temporal first.
 */
export const runKeys = `
alter table fermata.runs add column key text;

create table fermata.run_keys (
  tenant text not null,
  run_id text not null,
  definition_id text not null,
  key text not null,
  -- ascending per key: it is given under the key's lock
  place bigint generated always as identity,
  on_conflict text not null check (on_conflict in ('reject', 'join', 'queue', 'replace')),
  task_queue text,
  -- has the key; otherwise it waits
  holds boolean not null,
  since timestamptz(3) not null default clock_timestamp(),
  -- Temporal has it
  begun_at timestamptz(3),
  -- was asked to cancel, for a run that replaces it
  cancelled_at timestamptz(3),
  -- when workers look at it: to begin it, to cancel it, or to see whether it has ended
  look_at timestamptz(3),
  primary key (tenant, run_id)
) with (fillfactor = 80);
create unique index run_keys_held on fermata.run_keys (tenant, definition_id, key) where holds;
create unique index run_keys_line on fermata.run_keys (tenant, definition_id, key, place) where not holds;
create index run_keys_due on fermata.run_keys (look_at) where look_at is not null;

create function fermata.mark_ended_key() returns trigger language plpgsql as $$
begin
  update fermata.run_keys set look_at = clock_timestamp() where tenant = new.tenant and run_id = new.run_id;
  if found then
    perform pg_notify('fermata_keys', '');
  end if;
  return null;
end
$$;
create trigger runs_mark_ended_key after update of completed_at on fermata.runs for each row
  when (new.key is not null and new.completed_at is not null) execute function fermata.mark_ended_key();

-- An event may also find its run waiting for a key, or join the run that has it.
alter table fermata.deliveries drop constraint deliveries_status_check,
  add constraint deliveries_status_check check (status in ('pending', 'started', 'refused', 'queued', 'joined'));
`;
