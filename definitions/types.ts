/**
 * The definition language as TypeScript types.
 *
 * What it is: the shapes of a definition document, exactly as people write it (`docs/language.md`).
 * What it is not: a check. Text from outside becomes one of these only through `parseDefinition`.
 *
 * Glossary, one word per thing:
 *
 * - **definition**: the blueprint of an automation, one JSON or YAML document.
 * - **version**: one immutable published copy of a definition, numbered from 1.
 * - **run**: one execution of one version; its id is its Temporal workflow id.
 * - **node**: one step of a definition. **visit**: one passage of a run through a node.
 * - **scope**: a list of nodes walked from its first node (the top of a definition, a branch, an item, a `scope`).
 * - **command**: the serialisable order that an action node gives to a handler.
 * - **handler**: the TypeScript function that carries a command out.
 * - **event**: a fact from outside, in a CloudEvents 1.0 envelope. **trigger**: what makes events start runs.
 * - **approval**: a node that waits for people. **decision**: one person's answer to it.
 * - **outcome**: the name of the way in which a visit ended.
 * - **undo**: a command that takes back what an earlier command did.
 * - **checkpoint**: the state of a run as one plain tree, from which it can be resumed.
 * - **record**: one line of a run's story, projected into PostgreSQL.
 * - **worker**: the process that walks runs and calls handlers.
 */

/** Any JSON value, as it stands in a document. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. Keys from outside, `__proto__` among them, are ordinary own keys. */
export type JsonObject = { readonly [key: string]: Json };

/** A CEL expression without `${ }`. */
export type Expression = string;

/** JSON whose strings may hold `${ … }`; see `compileTemplate`. */
export type Template = Json;

/** A stretch of time: `"2h"`, `"1d12h"`, `"500ms"` or ISO 8601 `"PT2H"`. */
export type DurationText = string;

/** A JSON Schema document. */
export type JsonSchema = JsonObject | boolean;

/** One definition document. Field by field: `docs/language.md`, section 1. */
export interface Definition {
  readonly $schema?: string;
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Whether events and schedules start runs. Default `true`. */
  readonly enabled?: boolean;
  readonly trigger?: Trigger | readonly Trigger[];
  /** JSON Schema of the run's input. */
  readonly input?: JsonSchema;
  /** Template of the run's result; default: the output of the last node walked. */
  readonly output?: Template;
  readonly vars?: { readonly [name: string]: Template };
  readonly entity?: { readonly type: Template; readonly id: Template };
  readonly key?: { readonly value: Template; readonly onConflict: KeyPolicy };
  readonly nodes: readonly Node[];
  /** Id of the first node; default: the first of `nodes`. */
  readonly start?: string;
  readonly defaults?: ActionDefaults;
  readonly timeout?: DurationText;
  readonly onFailure?: 'close' | 'hold';
  /** Paths such as `event.data.email` that are hidden in records, logs and pages. */
  readonly redact?: readonly string[];
}

export type KeyPolicy = 'reject' | 'join' | 'queue' | 'replace';

export type Trigger = EventTrigger | ScheduleTrigger | WebhookTrigger;

export interface EventTrigger {
  readonly event: string;
  /** Paths relative to `event.data`; all must hold. */
  readonly filters?: Filters;
  readonly filter?: Expression;
  /** Maps the event to the run's input; default: `event.data`. */
  readonly input?: Template;
}

export interface ScheduleTrigger {
  readonly schedule: {
    readonly cron?: string;
    readonly every?: DurationText;
    readonly timeZone?: string;
    readonly overlap?: 'skip' | 'bufferOne' | 'bufferAll' | 'cancelOther' | 'terminateOther' | 'allowAll';
    readonly catchUp?: DurationText;
    readonly jitter?: DurationText;
  };
  readonly input?: Template;
}

export interface WebhookTrigger {
  readonly webhook: { readonly path: string; readonly secret?: string };
  readonly event: string;
  readonly filters?: Filters;
  readonly filter?: Expression;
  readonly input?: Template;
}

export type Scalar = null | boolean | number | string;

/** A scalar means equals, a list one of, an object holds operators that must all hold. */
export type Filters = { readonly [path: string]: FilterTest };
export type FilterTest = Scalar | readonly Scalar[] | FilterOperators;
export interface FilterOperators {
  readonly eq?: Scalar;
  readonly ne?: Scalar;
  readonly gt?: number | string;
  readonly gte?: number | string;
  readonly lt?: number | string;
  readonly lte?: number | string;
  readonly in?: readonly Scalar[];
  readonly notIn?: readonly Scalar[];
  readonly exists?: boolean;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly contains?: Scalar;
}

/** How often and how soon a failed attempt is repeated. Defaults: `docs/language.md`, section 6. */
export interface RetryPolicy {
  readonly maxAttempts?: number;
  readonly initialInterval?: DurationText;
  readonly backoffCoefficient?: number;
  readonly maxInterval?: DurationText;
  /** Share of the interval, 0 to 1, by which a wait may be longer or shorter. */
  readonly jitter?: number;
  readonly nonRetryable?: readonly string[];
}

export interface ActionDefaults {
  readonly retry?: RetryPolicy;
  readonly timeout?: DurationText;
  readonly deadline?: DurationText;
  readonly taskQueue?: string;
  readonly priority?: number;
}

/** One entry of `catch`: the first whose `errors` names the error's type, or `"*"`, is taken. */
export interface CatchEntry {
  readonly errors: readonly string[];
  readonly nextNodeId: string;
}

interface NodeBase {
  /** Unique in the whole document. */
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly nextNodeId?: string;
  readonly fallbackNodeId?: string;
  readonly catch?: readonly CatchEntry[];
  readonly transitions?: { readonly [outcome: string]: string };
  /** Default 1000. */
  readonly maxVisits?: number;
}

export type Node =
  | ActionNode
  | ConditionNode
  | SwitchNode
  | AssignNode
  | DelayNode
  | EventNode
  | ApprovalNode
  | ParallelNode
  | ForEachNode
  | ScopeNode
  | WorkflowNode
  | EmitNode
  | EndNode;

export type NodeType = Node['type'];

export interface ActionNode extends NodeBase {
  readonly type: 'action';
  readonly config: ActionConfig;
}
export interface ActionConfig extends ActionDefaults {
  /** The type of the handler. */
  readonly command: string;
  readonly version?: number;
  readonly payload?: Template;
  /** Longest time between two heartbeats of one attempt. */
  readonly heartbeat?: DurationText;
  /** Run beside the interpreter: quick and idempotent work only. */
  readonly local?: boolean;
  /** `true`: the handler's `rollback`. */
  readonly undo?: boolean | { readonly command: string; readonly payload?: Template };
}

export interface ConditionNode extends NodeBase {
  readonly type: 'condition';
  readonly config: { readonly expression: Expression; readonly onError?: 'fail' | 'true' | 'false' };
}

export interface SwitchNode extends NodeBase {
  readonly type: 'switch';
  readonly config: {
    readonly cases: readonly { readonly when: Expression; readonly nextNodeId: string }[];
    readonly defaultNodeId?: string;
  };
}

export interface AssignNode extends NodeBase {
  readonly type: 'assign';
  readonly config: { readonly vars: { readonly [name: string]: Template } };
}

export interface DelayNode extends NodeBase {
  readonly type: 'delay';
  readonly config: {
    readonly delayMs?: number | string;
    readonly duration?: string;
    readonly until?: string;
    readonly cron?: string;
    readonly timeZone?: string;
    readonly calendar?: string;
  };
}

export interface EventNode extends NodeBase {
  readonly type: 'event';
  readonly config: {
    readonly event: string | readonly string[];
    readonly correlate?: { readonly [path: string]: Template };
    readonly filter?: Expression;
    readonly timeout?: DurationText;
    readonly lookback?: DurationText;
  };
}

export interface Assignees {
  readonly users?: Template;
  readonly roles?: Template;
  readonly queues?: Template;
}

export interface ApprovalNode extends NodeBase {
  readonly type: 'approval';
  readonly config: ApprovalConfig;
}
export interface ApprovalConfig {
  readonly title?: Template;
  readonly description?: Template;
  readonly assignees?: Assignees;
  /** JSON Schema of the answer. */
  readonly form?: JsonSchema;
  /** Default `["approved", "rejected"]`; the first is the good one. */
  readonly outcomes?: readonly string[];
  readonly quorum?: number;
  readonly rejectAt?: number;
  /** People who may not decide. */
  readonly exclude?: Template;
  readonly subject?: Template;
  readonly dueIn?: DurationText;
  readonly reminders?: readonly DurationText[];
  readonly escalate?: readonly {
    readonly after: DurationText;
    readonly assignees?: Assignees;
    readonly notify?: Template;
  }[];
  readonly timeout?: DurationText;
  readonly priority?: number;
}

export type Join = 'all' | 'settled' | 'any' | 'first' | { readonly count: number };

export interface Branch {
  readonly id: string;
  readonly nodes: readonly Node[];
  readonly output?: Template;
  readonly optional?: boolean;
}

export interface ParallelNode extends NodeBase {
  readonly type: 'parallel';
  readonly config: { readonly branches: readonly Branch[]; readonly join?: Join; readonly shared?: readonly string[] };
}

export interface ForEachNode extends NodeBase {
  readonly type: 'forEach';
  readonly config: {
    readonly items: Expression;
    readonly as?: string;
    readonly concurrency?: number;
    readonly nodes: readonly Node[];
    readonly output?: Template;
    readonly join?: Join;
    readonly shared?: readonly string[];
  };
}

export interface ScopeNode extends NodeBase {
  readonly type: 'scope';
  readonly config: {
    readonly nodes: readonly Node[];
    readonly output?: Template;
    readonly timeout?: DurationText;
    readonly undo?: boolean;
  };
}

export interface WorkflowNode extends NodeBase {
  readonly type: 'workflow';
  readonly config: {
    readonly definitionId?: string;
    readonly version?: number | 'active';
    readonly workflowType?: string;
    readonly input?: Template;
    readonly taskQueue?: string;
    readonly wait?: boolean;
    readonly timeout?: DurationText;
  };
}

export interface EmitNode extends NodeBase {
  readonly type: 'emit';
  readonly config: { readonly event: string; readonly subject?: Template; readonly data?: Template };
}

export interface EndNode extends NodeBase {
  readonly type: 'end';
  readonly config?: {
    readonly status?: 'completed' | 'failed' | 'cancelled';
    readonly output?: Template;
    readonly error?: { readonly type: string; readonly message?: Template };
  };
}

/** The CloudEvents 1.0 envelope of an event. `data` defaults to `null`, `time` to when it was accepted. */
export interface CloudEvent {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject?: string;
  /** ISO 8601 timestamp. */
  readonly time: string;
  readonly data: Json;
}

/** What a run is about; searchable. */
export interface Entity {
  readonly type: string;
  readonly id: string;
}

/** Who or what started a run. For an event, `id` is its source. */
export interface Initiator {
  readonly id: string;
  readonly kind: 'user' | 'event' | 'schedule' | 'run';
}

/** States of a run; the legal moves are in `docs/language.md`, section 7. */
export type RunState = 'pending' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** States of a command. */
export type CommandState = 'pending' | 'executing' | 'success' | 'failed' | 'rolled_back' | 'cancelled' | 'skipped';

/**
 * What publishing found out about the handler of one command, stamped into the version (outside its content hash)
 * so that a run needs no look-up. Durations are in the text that the handler declared.
 */
export interface HandlerBinding {
  readonly version: number;
  readonly retry?: RetryPolicy;
  readonly timeout?: DurationText;
  readonly heartbeat?: DurationText;
  readonly hasRollback?: boolean;
}

/** Command type → binding. */
export type HandlerBindings = { readonly [command: string]: HandlerBinding };
