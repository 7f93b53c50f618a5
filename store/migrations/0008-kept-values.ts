/**
 * Values that are too large for a history, one row for each run that has them.
 *
 * No foreign key to the run: a value may be there a moment before the run's row. Compression is PostgreSQL's own.
 */
export const keptValues = `
create table fermata.kept_values (
  tenant text not null,
  run_id text not null,
  hash text not null,
  body text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant, run_id, hash)
);
create index kept_values_by_age on fermata.kept_values (created_at);
`;
