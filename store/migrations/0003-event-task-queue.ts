/**
 * Where the runs of an event are to be walked, so that whoever finishes its starts sends them to the same workers.
 */
export const eventTaskQueue = `
alter table fermata.events add column task_queue text;
`;
