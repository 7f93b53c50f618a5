/**
 * All migrations in their order, as SQL text, so that no file has to be found at run time.
 *
 * Invariants:
 * 1. A released migration is never changed; a correction is a new one behind it.
 * 2. A release's tables also serve the release before it, so that workers can be replaced one by one.
 */
import { foundations } from './0001-foundations.ts';
import { definitionRevisions } from './0002-definition-revisions.ts';
import { eventTaskQueue } from './0003-event-task-queue.ts';
import { runKeys } from './0004-run-keys.ts';
import { eventWaits } from './0005-event-waits.ts';
import { calendars } from './0006-calendars.ts';
import { taskRecords } from './0007-task-records.ts';
import { keptValues } from './0008-kept-values.ts';
import { decisionOrder } from './0009-decision-order.ts';

/** Name → SQL; names sort in the order in which they are applied. */
export const MIGRATIONS: Readonly<Record<string, string>> = {
  '0001-foundations': foundations,
  '0002-definition-revisions': definitionRevisions,
  '0003-event-task-queue': eventTaskQueue,
  '0004-run-keys': runKeys,
  '0005-event-waits': eventWaits,
  '0006-calendars': calendars,
  '0007-task-records': taskRecords,
  '0008-kept-values': keptValues,
  '0009-decision-order': decisionOrder,
};
