/**
 * The checkpoint: a run's whole state as one plain tree.
 *
 * What it is: what continue-as-new carries, the `state` query shows, and a migration or a retry starts from.
 * What it is not: the story of the run; that is the records (`definitions/records.ts`). States that belong to a concept
 * with rules of its own stand beside those rules: `fan-state.ts`, `event-state.ts`, `approval-state.ts`.
 *
 * Invariants:
 * 1. Plain JSON: nothing about a run hides in a closure; a run resumed from its checkpoint goes the same way.
 * 2. At most `LIMITS.stateBytes`; an output that would pass it is refused at its node.
 * 3. Times are milliseconds since 1970.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { TimeQuestion } from '../definitions/time/question.ts';
import type { Json } from '../definitions/types.ts';
import type { ApprovalState, ClosedTask, EarlyDecision } from './approval-state.ts';
import type { EventInbox, EventState } from './event-state.ts';
import type { Fan } from './fan-state.ts';
import type { CommandOrder } from './orders.ts';

export interface Checkpoint {
  readonly format: 1;
  readonly startedAt: number;
  /** The top scope. */
  readonly frame: Frame;
  /** Completed visits that can be undone, oldest first. */
  readonly undo: UndoEntry[];
  /** Decisions that came by signal before their node was visited. */
  readonly early: EarlyDecision[];
  /** Visits of approvals that are over, whose scopes may be gone: what comes for them is too late. Absent: none. */
  closed?: ClosedTask[];
  /** What is kept about events. Absent: nothing yet. */
  events?: EventInbox;
  /** How many records of each kind the run has made: with it a projection knows whether it is whole. */
  readonly counts: { visits: number; commands: number };
  /** Set once somebody asked the run to stop. */
  cancel: CancelRequest | null;
  /** How the run is to end, while its undo is under way. */
  ending: Ending | null;
  /** Bytes of JSON in outputs, errors of nodes, variables, items, payloads under way and the undo list. */
  bytes: number;
  /** Versions of the calendars that the run has counted on, by name: later uses keep them. Absent: none. */
  calendars?: { readonly [name: string]: number };
  /** What `redact` named in scopes that have ended: hidden for the rest of the run. Absent: nothing. */
  hidden?: readonly (string | number)[];
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
  | { readonly kind: 'action'; readonly payload: Json; readonly given: Given; readonly bytes: number }
  | DelayState
  | { readonly kind: 'parallel'; readonly fan: Fan }
  | { readonly kind: 'forEach'; readonly items: readonly Json[]; readonly fan: Fan; readonly bytes: number }
  | ScopeState
  | ChildState
  | { readonly kind: 'emit'; readonly subject: string | null; readonly data: Json; readonly bytes: number }
  | EventState
  | ApprovalState;

/** A `scope` node at work. */
export interface ScopeState {
  readonly kind: 'scope';
  readonly frame: Frame;
  readonly timeoutAt: number | null;
  /** The error that left it, while what it did is being undone. */
  error: ErrorInfo | null;
}

/** A run that a `workflow` node begins, and waits for. */
export interface ChildState {
  readonly kind: 'workflow';
  /** Of the child. */
  readonly runId: string;
  readonly input: Json;
  readonly bytes: number;
  readonly timeoutAt: number | null;
  /** Of its definition, once it has begun: a repeated start gets the same. */
  version: number | null;
}

export interface DelayState {
  readonly kind: 'delay';
  /** `null`: the worker has not told yet. */
  dueAt: number | null;
  /** What it is asked. */
  readonly question?: TimeQuestion;
}

/** A command that was given: kept, since the wait for its handler may go on in a fresh history. */
export interface Given {
  /** Position among the run's commands, from 1. */
  readonly seq: number;
  readonly at: number;
  /** Set while no worker has a handler for it. */
  missing?: Missing;
}

/** The last answer of workers without a handler, and when to ask again. */
export interface Missing {
  readonly error: ErrorInfo;
  readonly askAt: number;
}

/** A completed command and how to take it back. */
export interface UndoEntry {
  readonly nodeId: string;
  /** Of the scope that it was done in. */
  readonly path: string;
  /** It was under way when its branch lost: undone as soon as the branch has ended. */
  readonly lost: boolean;
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
