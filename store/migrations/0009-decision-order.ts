/** Decisions of one millisecond keep the order in which their run told them, as other records of tasks do. */
export const decisionOrder = `
alter table fermata.decisions add column position bigint generated always as identity;
`;
