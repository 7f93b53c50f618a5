/**
 * Which of two records of one thing is the later one.
 *
 * Invariants:
 * 1. A record that ended something is later than the one that began it, whichever is written first; of two endings the
 *    one that happened later counts. So any order of writing, and any repetition, leaves the same rows.
 * 2. `write-records.ts` asks the same in SQL against the row that is there.
 */
import type { CommandRecord, StateRecord, VisitRecord, WaitRecord } from '../../definitions/records.ts';
import type { CommandState } from '../../definitions/types.ts';

/** How far a command is; a record never takes it back to a lower rank. */
export const COMMAND_RANK: Readonly<Record<CommandState, number>> = {
  pending: 0,
  executing: 1,
  success: 2,
  failed: 2,
  cancelled: 2,
  skipped: 2,
  rolled_back: 3,
};

/** At the same millisecond the record that closes the run stays, otherwise the one told last. */
export function laterState(known: StateRecord, next: StateRecord): StateRecord {
  if (next.at !== known.at) return next.at > known.at ? next : known;
  return known.counts !== undefined && next.counts === undefined ? known : next;
}

export function laterVisit(known: VisitRecord, next: VisitRecord): VisitRecord {
  return (next.finishedAt ?? -1) >= (known.finishedAt ?? -1) ? next : known;
}

export function laterCommand(known: CommandRecord, next: CommandRecord): CommandRecord {
  const ranks = COMMAND_RANK[next.state] - COMMAND_RANK[known.state];
  if (ranks !== 0) return ranks > 0 ? next : known;
  return (next.finishedAt ?? -1) >= (known.finishedAt ?? -1) ? next : known;
}

export function laterWait(known: WaitRecord, next: WaitRecord): WaitRecord {
  if (next.waiting.since !== known.waiting.since) return next.waiting.since > known.waiting.since ? next : known;
  return !known.open && next.open ? known : next;
}
