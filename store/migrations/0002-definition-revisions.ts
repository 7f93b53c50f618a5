/**
 * Numbers the changes of definitions per tenant, so that whoever keeps a copy of the subscriptions can tell that it is
 * current and read only what changed since.
 */
export const definitionRevisions = `
create table fermata.definition_revisions (
  tenant text primary key,
  revision integer not null
);

alter table fermata.definitions add column revision integer not null default 0;

update fermata.definitions as definition set revision = numbered.revision
from (select tenant, id, row_number() over (partition by tenant order by id) as revision from fermata.definitions) as numbered
where numbered.tenant = definition.tenant and numbered.id = definition.id;

insert into fermata.definition_revisions (tenant, revision)
select tenant, max(revision) from fermata.definitions group by tenant;

create index definitions_changed on fermata.definitions (tenant, revision);
`;
