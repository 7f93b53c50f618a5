/**
 * Orders: what the walker wants done, as plain data that says all that is needed to do it.
 *
 * What it is not: a way of doing it; that is the Effects port (`effects.ts`), which takes them.
 */
import type { WaitRegistration } from '../definitions/event-waits.ts';
import type { ApprovalTask } from '../definitions/records.ts';
import type { Json, RetryPolicy } from '../definitions/types.ts';
import type { Assignees } from './approval-state.ts';
import type { RunIdentity } from './start.ts';

/** A command as the walker orders it. All times in milliseconds. */
export interface CommandOrder {
  /** `<run id>/<path>/<node id>/<visit>`, `/undo` behind it for an undo: the idempotency key. */
  readonly commandId: string;
  readonly nodeId: string;
  /** What people see: the node's name, else its id. */
  readonly summary: string;
  /** Type of the handler. */
  readonly type: string;
  /** Version of the handler. */
  readonly version: number;
  readonly payload: Json;
  readonly retry: ResolvedRetry;
  /** Longest life of one attempt. */
  readonly timeoutMs: number;
  /** Longest life of all attempts, queueing included; `null`: no limit. */
  readonly deadlineMs: number | null;
  readonly heartbeatMs: number | null;
  readonly taskQueue: string | null;
  readonly priority: number | null;
  readonly local: boolean;
  /** For an undo: the command id that it takes back. */
  readonly undoes: string | null;
  /** JSON pointers into the payload (of a rollback: into its input) at which a reference to a secret stands. */
  readonly secrets: readonly string[];
  /** The handler's `rollback` is called instead of its `execute`, with `{ input, output }` as payload. */
  readonly rollback: boolean;
  /** A cancelled attempt that is under way is awaited, so that what it did can be undone. */
  readonly awaitWhenCancelled: boolean;
}

/** A retry policy with every default filled in; intervals in milliseconds. */
export interface ResolvedRetry {
  readonly maxAttempts: number;
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maxIntervalMs: number;
  readonly jitter: number;
  readonly nonRetryable: NonNullable<RetryPolicy['nonRetryable']>;
}

/** A run as a `workflow` node begins it. */
export interface ChildOrder {
  /** Who it is; its id is its Temporal workflow id too. What it is about is worked out where it begins. */
  readonly run: Omit<RunIdentity, 'entity'>;
  /** A definition, in a version or, with `null`, the active one; or a hand-written workflow. */
  readonly what: { readonly definitionId: string; readonly version: number | null } | { readonly workflowType: string };
  readonly input: Json;
  /** Of the visit that begins it. */
  readonly visitId: string;
  readonly nodeId: string;
  /** What people see: the node's name, else its id. */
  readonly summary: string;
  /** `null`: that of the run that begins it. */
  readonly taskQueue: string | null;
  /** It goes on whatever becomes of the run that began it, and nobody awaits its end. */
  readonly detached: boolean;
}

/** A wait for an event, as it is registered. */
export interface WaitOrder extends WaitRegistration {
  /** What people see: the node's name, else its id. */
  readonly summary: string;
}

/** An event as an `emit` node publishes it. */
export interface EmitOrder {
  /** Of the visit: the event's id, or what it is made from. */
  readonly commandId: string;
  readonly runId: string;
  readonly nodeId: string;
  /** What people see: the node's name, else its id. */
  readonly summary: string;
  readonly type: string;
  readonly source: string;
  readonly subject: string | null;
  /** ISO 8601. */
  readonly time: string;
  readonly data: Json;
}

/** What people should know of an approval. */
export interface Notice {
  /** `<task id>/assigned`, `…/reminder/1` and so on: stays the same however often it is told. */
  readonly key: string;
  readonly kind: 'assigned' | 'reminder' | 'escalated' | 'delegated' | 'withdrawn';
  readonly runId: string;
  readonly nodeId: string;
  /** People, roles and queues that it is for. */
  readonly to: Assignees;
  readonly task: ApprovalTask;
  /** Of an escalation: its `notify`. */
  readonly notify: Json;
  /** ISO 8601. */
  readonly at: string;
}
