/**
 * Working-time calendars. A version never changes: runs keep the one that they first counted on. The newest is the one
 * that others get.
 */
export const calendars = `
create table fermata.calendar_versions (
  tenant text not null,
  name text not null,
  version integer not null,
  hash text not null,
  document text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant, name, version)
);
`;
