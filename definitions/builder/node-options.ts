/**
 * What the steps of a builder take, as types: the fields of `definitions/types.ts` under the same names, with typed
 * values. What each field means: `docs/language.md`, sections 4 to 6.
 */
import type { ActionConfig, ApprovalConfig, Definition, DurationText, Join, JsonSchema } from '../types.ts';
import type { DataOf, EventOf, EventType } from './event-type.ts';
import type { Context, ErrorValue, Given, Names } from './names.ts';
import type { InputOf, OutputOf, StandardSchema } from './standard-schema.ts';
import type { AnyValue, Condition, Ref, TYPE, Typed, Value } from './typed.ts';

/** What a node can lead to: a node of its scope, or nothing, which only `nextNodeId` needs to say. */
export type Target = string | null;

/** Where a run goes from a node, and how people know it. `To`: ids of nodes of the same scope. */
export interface Flow<To extends Target> {
  readonly name?: string;
  readonly description?: string;
  /** Default: the node that comes next; `null`: the scope ends here. */
  readonly nextNodeId?: To;
  readonly fallbackNodeId?: To;
  readonly catch?: readonly { readonly errors: readonly string[]; readonly nextNodeId: To }[];
  readonly maxVisits?: number;
}

/** {@link Flow} of a node with outcomes. */
export interface OutcomeFlow<To extends Target, Outcome extends string> extends Flow<To> {
  readonly transitions?: { readonly [Name in Outcome]: To };
}

/** What `defineCommand` gives, by its shape. */
export interface CommandShape {
  readonly type: string;
  readonly version: number;
  readonly input: StandardSchema;
  readonly output: StandardSchema;
}

/** A command, or the type of one that is not at hand; its payload is then not checked. */
export type AnyCommand = CommandShape | string;
export type PayloadOf<K> = K extends CommandShape ? InputOf<K['input']> : unknown;
export type ResultOf<K> = K extends CommandShape ? OutputOf<K['output']> : unknown;

/**
 * A payload, or a function that gives it. A conditional type, so that the compiler knows the command before it looks at
 * what the function returns: literals keep their types.
 */
export type Payload<K, Scope> = K extends CommandShape
  ? Given<Scope, Value<InputOf<K['input']>>> | (K extends Bare<K> ? undefined : never)
  : Given<Scope, AnyValue> | undefined;

/** A command that needs no payload. */
export type Bare<K> = K extends string ? K : undefined extends PayloadOf<K> ? K : never;

export interface ActionOptions<To extends Target, Undo extends AnyCommand, Own>
  extends Flow<To>,
    Omit<ActionConfig, 'command' | 'payload' | 'undo'> {
  /** `true`: the handler's `rollback`; it can read the node's own output. */
  readonly undo?: boolean | { readonly command: Undo; readonly payload?: Given<Own, Value<PayloadOf<Undo>>> };
}

export interface SwitchCases<To extends Target> {
  readonly cases: readonly { readonly when: Condition; readonly nextNodeId: To }[];
  readonly defaultNodeId?: To;
}

/** One of the ways to say how long, as `delay` nodes have them. */
export interface DelayTimes {
  readonly delayMs?: number | Typed<number> | string;
  readonly duration?: string | Typed<string>;
  readonly until?: string | Typed<string>;
  readonly cron?: string | Typed<string>;
  readonly timeZone?: string | Typed<string>;
  readonly calendar?: string | Typed<string>;
}

export interface EventWait<E, C extends Context, N> {
  /** Paths into the arriving event, such as `data.orderId`. */
  readonly correlate?: { readonly [path: string]: AnyValue };
  /** `event` is here the one that arrives. */
  readonly filter?: Given<Omit<Names<C, N>, 'event'> & { readonly event: ArrivingRef<E> }, Condition>;
  readonly timeout?: DurationText;
  readonly lookback?: DurationText;
}
/** {@link EventWait}, with the events known first; see {@link Payload}. */
export type Wait<E, C extends Context, N> = E extends unknown ? Given<Names<C, N>, EventWait<E, C, N>> : never;

type ArrivingRef<E> = Ref<EventOf<DataOf<E>>>;

export interface AssigneeValues {
  readonly users?: Value<readonly string[]>;
  readonly roles?: Value<readonly string[]>;
  readonly queues?: Value<readonly string[]>;
}

export interface ApprovalOptions<Outcome extends string, Form>
  extends Pick<ApprovalConfig, 'quorum' | 'rejectAt' | 'dueIn' | 'reminders' | 'timeout' | 'priority'> {
  readonly title?: Value<string>;
  readonly description?: Value<string>;
  readonly assignees?: AssigneeValues;
  /** A schema of zod or the like, which gives `output.data` its type, or a JSON Schema. */
  readonly form?: Form;
  readonly outcomes?: readonly Outcome[];
  readonly exclude?: Value<readonly string[]>;
  readonly subject?: AnyValue;
  readonly escalate?: readonly {
    readonly after: DurationText;
    readonly assignees?: AssigneeValues;
    readonly notify?: AnyValue;
  }[];
}

export type AnyForm = StandardSchema | JsonSchema;

export interface ApprovalOutput<Outcome, Form> {
  readonly outcome: Outcome;
  readonly decisions: readonly {
    readonly by: string;
    readonly outcome: Outcome;
    readonly data: FormData<Form>;
    readonly comment: string | null;
    readonly at: string;
  }[];
  /** Of the deciding vote. */
  readonly data: FormData<Form>;
}
type FormData<Form> = Form extends StandardSchema ? InputOf<Form> : unknown;

/** How a part of a fan-out ended, where the join tells it. */
export interface Settled<Output> {
  readonly status: string;
  readonly output: Output | null;
  readonly error: ErrorValue | null;
}

export interface FanOptions<To extends Target, J extends Join> extends Flow<To> {
  readonly join?: J;
  /** Outer variables that the parts may write. */
  readonly shared?: readonly string[];
}

export interface ParallelOptions<To extends Target, J extends Join, Optional> extends FanOptions<To, J> {
  /** Branches that may fail. */
  readonly optional?: readonly Optional[];
}

/** Output of a `parallel` node with the branch outputs `B`. */
export type Joined<B, J, Optional> = J extends 'all'
  ? { readonly [Id in keyof B]: Id extends Optional ? B[Id] | null : B[Id] }
  : J extends 'any' | 'first'
    ? { readonly [Id in keyof B]?: B[Id] }
    : { readonly [Id in keyof B]: Settled<B[Id]> };

/** Output of a `forEach` node. */
export type JoinedList<Output, J> = J extends 'all'
  ? readonly Output[]
  : J extends 'any' | 'first'
    ? unknown
    : readonly Settled<Output>[];

export interface Items<Item, As extends string> {
  /** A list, or its text in CEL. */
  readonly items: Typed<readonly Item[]> | string;
  /** Default `item`. */
  readonly as?: As;
  readonly concurrency?: number;
}

export interface ScopeOptions<To extends Target> extends Flow<To> {
  readonly timeout?: DurationText;
  readonly undo?: boolean;
}

/** What `build()` gives: a definition that knows the types of its input and output. */
export interface Built<Input, Output> extends Definition {
  readonly [TYPE]?: { readonly input: Input; readonly output: Output };
}

/** What a `workflow` node begins: a built definition, an id of one, or a hand-written workflow. */
export type AnyChild = Built<unknown, unknown> | string | { readonly workflowType: string };
export type RunOutputOf<D> = D extends Built<unknown, infer Output> ? Output : unknown;

/** Input of a child; see {@link Payload}. */
export type ChildInput<D, Scope> =
  D extends Built<infer Input, unknown> ? Given<Scope, Value<Input>> : Given<Scope, AnyValue> | undefined;

export interface ChildOptions<To extends Target> extends Flow<To> {
  readonly version?: number | 'active';
  readonly taskQueue?: string;
  readonly wait?: boolean;
  readonly timeout?: DurationText;
}

/** Data of an emitted event; see {@link Payload}. */
export type EventData<E, Scope> =
  E extends EventType<string, infer Data>
    ? Given<Scope, Value<Data>> | (unknown extends Data ? undefined : never)
    : Given<Scope, AnyValue> | undefined;

export interface EmitOptions<To extends Target, Scope> extends Flow<To> {
  readonly subject?: Given<Scope, Value<string>>;
}

export interface EndOptions {
  readonly status?: 'completed' | 'failed' | 'cancelled';
  readonly output?: AnyValue;
  readonly error?: { readonly type: string; readonly message?: Value<string> };
}
