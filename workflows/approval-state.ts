/**
 * The plain state of a run's approvals: what is asked of people, and what they have said so far.
 */
import type { Decision, Subject, Vote } from '../definitions/records.ts';
import type { Json } from '../definitions/types.ts';

/** A decision that is kept, and where it came in. */
export type EarlyDecision = Decision & { readonly door?: string };

/** The latest visit that is over of an approval node, in one instance of its scope. */
export interface ClosedTask {
  readonly nodeId: string;
  readonly path: string;
  readonly visit: number;
}

/** Who may decide a task. */
export interface Assignees {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly queues: readonly string[];
}

/** What an approval does by itself at a moment of its own. */
export type Moment =
  | { readonly kind: 'assign' | 'remind'; readonly at: number }
  | { readonly kind: 'escalate'; readonly at: number; readonly assignees: Assignees; readonly notify: Json };

/** Somebody who got the say of another person, or gave theirs away. */
export interface Hand {
  readonly id: string;
  readonly may: boolean;
}

/** An open approval: its rules, fixed when the node was entered, and what people and time have done to it. */
export interface ApprovalState {
  readonly kind: 'approval';
  readonly taskId: string;
  readonly title: string;
  readonly description: string;
  readonly assignees: Assignees;
  readonly exclude: readonly string[];
  readonly outcomes: readonly string[];
  readonly quorum: number;
  readonly rejectAt: number;
  readonly priority: number | null;
  readonly dueAt: number | null;
  readonly timeoutAt: number | null;
  readonly subject?: Subject;
  /** Reminders and escalations, in order, before them the assignment; absent: nobody is told anything. */
  readonly moments?: readonly Moment[];
  /** How many of `moments` have been seen to. */
  done?: number;
  readonly votes: Vote[];
  /** Who has taken it on. */
  claim?: { readonly by: string; readonly at: number } | null;
  /** The latest delegation last; one entry for each person. */
  hands?: readonly Hand[];
  /** How often it was delegated. */
  delegations?: number;
}
