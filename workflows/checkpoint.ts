/**
 * The checkpoint: a run's whole state as one plain tree.
 *
 * What it is: what continue-as-new carries, the `state` query shows, and a migration or a retry starts from.
 * What it is not: the story of the run; that is the records (`records.ts`).
 *
 * Invariants:
 * 1. Plain JSON: nothing about a run hides in a closure; a run resumed from its checkpoint goes the same way.
 * 2. At most `LIMITS.stateBytes`; an output that would pass it is refused at its node.
 * 3. Times are milliseconds since 1970.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Decision, Vote } from '../definitions/records.ts';
import type { Json } from '../definitions/types.ts';
import type { CommandOrder } from './effects.ts';

export interface Checkpoint {
  readonly format: 1;
  readonly startedAt: number;
  /** The top scope. */
  readonly frame: Frame;
  /** Completed visits that can be undone, oldest first. */
  readonly undo: UndoEntry[];
  /** Decisions that came by signal before their node was visited. */
  readonly early: Decision[];
  /** How many records of each kind the run has made: with it a projection knows whether it is whole. */
  readonly counts: { visits: number; commands: number };
  /** Set once somebody asked the run to stop. */
  cancel: CancelRequest | null;
  /** How the run is to end, while its undo is under way. */
  ending: Ending | null;
  /** Bytes of JSON in outputs, errors of nodes, variables and the undo list. */
  bytes: number;
}

/** Where a scope stands: the node under visit, and what its nodes left behind. */
export interface Frame {
  /** The node under visit, or the next one; `null`: the scope has ended. */
  nodeId: string | null;
  /** The state of the visit under way; `null`: not entered yet. */
  visit: VisitState | null;
  /** Visits so far, by node id. */
  readonly visits: { [nodeId: string]: number };
  /** Replaced, never changed in place. */
  vars: { readonly [name: string]: Json };
  /** Replaced, never changed in place: expressions may hold on to it. */
  nodes: { readonly [nodeId: string]: NodeResult };
  /** The error by which a `catch` or `fallbackNodeId` path was entered last. */
  error: ErrorInfo | null;
  /** The node walked last. */
  lastNodeId: string | null;
}

/** What `nodes.<id>` shows. */
export interface NodeResult {
  readonly output: Json;
  readonly outcome: string;
  readonly error: ErrorInfo | null;
}

/** The plain state of one visit; `kind` is the node type. */
export interface VisitState {
  /** Position in the run's trace, from 1. */
  readonly seq: number;
  readonly startedAt: number;
  /** What the node type keeps of it between `enter` and its outcome. */
  readonly node: NodeState;
}

export type NodeState =
  | { readonly kind: 'instant' }
  | { readonly kind: 'action'; readonly payload: Json; readonly given: Given }
  | { readonly kind: 'delay'; readonly dueAt: number }
  | ApprovalState;

/** A command that was given: kept, since the wait for its handler may go on in a fresh history. */
export interface Given {
  /** Position among the run's commands, from 1. */
  readonly seq: number;
  readonly at: number;
}

/** An open approval: its rules, fixed when the node was entered, and the votes so far. */
export interface ApprovalState {
  readonly kind: 'approval';
  readonly taskId: string;
  readonly title: string;
  readonly description: string;
  readonly assignees: { readonly users: string[]; readonly roles: string[]; readonly queues: string[] };
  readonly exclude: readonly string[];
  readonly outcomes: readonly string[];
  readonly quorum: number;
  readonly rejectAt: number;
  readonly priority: number | null;
  readonly dueAt: number | null;
  readonly timeoutAt: number | null;
  readonly votes: Vote[];
}

/** A completed command and how to take it back. */
export interface UndoEntry {
  readonly nodeId: string;
  /** The command that undoes, ready to be given. */
  readonly order: CommandOrder;
  /** `null`: not yet. */
  given: Given | null;
  /** Why the undo gave up; `null`: not tried yet, or under way. */
  notUndone: ErrorInfo | null;
}

export interface CancelRequest {
  readonly reason: string;
  readonly by: string | null;
  readonly at: number;
}

/** How a run ends. */
export interface Ending {
  readonly state: 'completed' | 'failed' | 'cancelled';
  readonly output: Json;
  readonly error: ErrorInfo | null;
}
