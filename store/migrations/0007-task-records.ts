/**
 * What was done with approvals beside deciding them, as the runs told it: claims, delegations, comments, reminders,
 * escalations, withdrawals, refused or not.
 */
export const taskRecords = `
create table fermata.task_records (
  tenant text not null,
  run_id text not null,
  digest text not null,
  task_id text,
  handled_at timestamptz(3) not null,
  -- order in which the run told those of the same millisecond
  position bigint generated always as identity,
  record json not null,
  primary key (tenant, run_id, digest)
);
create index task_records_of_task on fermata.task_records (tenant, task_id, handled_at) where task_id is not null;
`;
