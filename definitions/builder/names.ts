/**
 * What can be read at a place of a definition, as types: the names of `docs/language.md`, section 2.
 */
import type { AnyValue, Ref, Refs } from './typed.ts';

/** What is the same for all nodes of one scope. */
export interface Context {
  /** Envelopes of the triggers; `never` without one. */
  readonly event: unknown;
  readonly input: unknown;
  readonly vars: unknown;
  /** References to the nodes of the scopes around it. */
  readonly outer: unknown;
  /** References that a loop adds: its item and index. */
  readonly locals: unknown;
  readonly of: 'definition' | 'scope';
}

/** The context of a branch, item or scope inside `C`, behind the nodes `N`. */
export interface Inside<C extends Context, N, Locals = unknown> extends Context {
  readonly event: C['event'];
  readonly input: C['input'];
  readonly vars: C['vars'];
  readonly outer: C['outer'] & N;
  readonly locals: Locals & C['locals'];
  readonly of: 'scope';
}

/** All that can be read behind the nodes `N`. */
export type Names<C extends Context, N = unknown> = NamesBefore<C> & {
  readonly vars: Refs<C['vars']>;
  readonly nodes: C['outer'] & N;
  /** Only on a path entered through `catch` or `fallbackNodeId`. */
  readonly error: Ref<ErrorValue>;
} & C['locals'];

/** What can be read before a run begins: in `vars`, `entity` and `key`. */
export interface NamesBefore<C extends Context> {
  /** `null` in a run that no event started. */
  readonly event: [C['event']] extends [never] ? Ref<null> : Ref<C['event']>;
  readonly input: Ref<C['input']>;
  readonly run: Ref<RunFacts>;
  /** The run's own time. */
  readonly now: Ref<string>;
}

/** What can be read in a trigger. */
export interface NamesAtEvent<Event> {
  readonly event: Ref<Event>;
  readonly now: Ref<string>;
}

/** A node that has been visited. */
export interface NodeRef<Output, Outcome = string> {
  readonly output: Ref<Output>;
  readonly outcome: Ref<Outcome>;
  readonly error: Ref<ErrorValue | null>;
}

/** A value, or a function that gives it from the names in scope. */
export type Given<Scope, V> = V | ((names: Scope) => V);

export interface RunFacts {
  readonly id: string;
  readonly definitionId: string;
  readonly version: number;
  readonly startedAt: string;
  readonly tenant: string;
  readonly entity: { readonly type: string; readonly id: string } | null;
  readonly initiator: { readonly id: string; readonly kind: string };
}

export interface ErrorValue {
  readonly type: string;
  readonly message: string;
  readonly nodeId: string;
  readonly details: unknown;
  readonly cause: unknown;
}

/** Extension fields, which the language ignores. */
export type Extensions = { readonly [key: `x-${string}`]: AnyValue };
