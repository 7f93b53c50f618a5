/**
 * A scope under construction: its nodes in order, each method adding one.
 *
 * A method takes the id, what the node does (as it is, or as a function of the names in scope), and where the run goes
 * from there. A node leads to the one behind it unless it says otherwise.
 *
 * Invariants:
 * 1. What a method gives is a new builder; the one it was called on stays as it is.
 * 2. Behind a node, `nodes.<id>` has the type of its output; before it and outside its scope there is no such name.
 * 3. An id that a node names but no node of the scope has keeps the scope from being used or built.
 */
import type { CheckOptions } from '../check-definition.ts';
import type { Join, Node } from '../types.ts';
import type { AnyEvent, DataOf, EventOf, TypeNameOf } from './event-type.ts';
import type { Context, Given, Inside, Names, NodeRef } from './names.ts';
import type {
  ActionOptions,
  AnyCommand,
  AnyChild,
  AnyForm,
  ApprovalOptions,
  ApprovalOutput,
  Bare,
  Built,
  ChildInput,
  ChildOptions,
  DelayTimes,
  EmitOptions,
  EndOptions,
  EventData,
  FanOptions,
  Flow,
  Items,
  Joined,
  JoinedList,
  OutcomeFlow,
  ParallelOptions,
  Payload,
  ResultOf,
  RunOutputOf,
  ScopeOptions,
  SwitchCases,
  Target,
  Wait,
} from './node-options.ts';
import type { Condition, Plain, Ref, Typed, Value } from './typed.ts';

/** Ids that nodes of a scope lead to, and that none of them has; outcomes that none has, too. */
declare const noSuchNode: unique symbol;
declare const output: unique symbol;
declare const of: unique symbol;

/** A scope that can be used: a branch, the body of a loop. */
export interface Finished<Output = unknown> {
  readonly [noSuchNode]: never;
  readonly [output]: Output;
}

/** A whole definition that can be built. */
interface Whole extends Finished {
  readonly [of]: 'definition';
}

/** An id that is new in its scope and those around it. */
type New<Id extends string, C extends Context, N> = Id &
  (Id extends keyof (C['outer'] & N) ? { readonly 'another node has this id': Id } : unknown);

/** A transition of an outcome that there is not; told where a missing node is, since only then all are known. */
type Misnamed<Id extends string, Taken extends string, Outcome extends string> =
  Exclude<Taken, Outcome | 'timeout'> extends infer Name extends string ? `outcome ${Name} of ${Id}` : never;

/** The scope behind one more node. */
type Behind<C extends Context, N, J extends Target, Id extends string, Output = null, Outcome = string> = Steps<
  C,
  N & { readonly [Name in Id]: NodeRef<Output, Outcome> },
  J,
  Output
>;

/** A scope inside, before its first node. */
type Empty<C extends Context> = Steps<C, unknown, never, null>;

/** `C`: its context; `N`: its nodes so far; `J`: ids that they lead to; `Last`: output of the last one. */
export interface Steps<C extends Context, N, J extends Target, Last> {
  /** `NoInfer`, so that a scope that must have none of them does not make the compiler forget the ids of its last node. */
  readonly [noSuchNode]: Exclude<NoInfer<J>, keyof N | null>;
  readonly [output]: Last;
  readonly [of]: C['of'];

  /** Has a handler do something: `.action('tag', addTag, ({ event }) => ({ leadId: event.data.id }))`. */
  action<Id extends string, K extends AnyCommand>(
    id: New<Id, C, N>,
    command: K & Bare<K>,
  ): Behind<C, N, J, Id, ResultOf<K>>;
  action<Id extends string, K extends AnyCommand, To extends Target = never, Undo extends AnyCommand = string>(
    id: New<Id, C, N>,
    command: K,
    payload: Payload<K, Names<C, N>>,
    options?: ActionOptions<To, Undo, Names<C, N & { readonly [Name in Id]: NodeRef<ResultOf<K>> }>>,
  ): Behind<C, N, J | To, Id, ResultOf<K>>;

  /** Goes on where the condition holds, and to `fallbackNodeId` where not. */
  condition<Id extends string, To extends Target = never>(
    id: New<Id, C, N>,
    expression: Given<Names<C, N>, Condition>,
    options?: Flow<To> & { readonly onError?: 'fail' | 'true' | 'false' },
  ): Behind<C, N, J | To, Id>;

  /** Goes where the first case that holds leads. */
  switch<Id extends string, To extends Target = never>(
    id: New<Id, C, N>,
    cases: Given<Names<C, N>, SwitchCases<To>>,
    flow?: Flow<To>,
  ): Behind<C, N, J | To, Id>;

  /** Sets variables, all at once. */
  assign<Id extends string, To extends Target = never>(
    id: New<Id, C, N>,
    vars: Given<Names<C, N>, { readonly [Name in keyof C['vars']]?: Value<C['vars'][Name]> }>,
    flow?: Flow<To>,
  ): Behind<C, N, J | To, Id>;

  /** Waits: a number is milliseconds, a string a duration (`'2h'`). */
  delay<Id extends string, To extends Target = never>(
    id: New<Id, C, N>,
    time: number | string | Given<Names<C, N>, DelayTimes>,
    flow?: Flow<To>,
  ): Behind<C, N, J | To, Id>;

  /** Waits for an event: `.event('paid', orderPaid, ({ input }) => ({ correlate: { 'data.id': input.id } }))`. */
  event<
    Id extends string,
    E extends AnyEvent,
    To extends Target = never,
    Outcome extends TypeNameOf<E> | 'timeout' = never,
  >(
    id: New<Id, C, N>,
    event: E | readonly E[],
    wait?: Wait<E, C, N>,
    flow?: OutcomeFlow<To, Outcome>,
  ): Behind<C, N, J | To, Id, EventOf<DataOf<E>>, TypeNameOf<E> | 'timeout'>;

  /** Waits for people. */
  approval<
    Id extends string,
    Outcome extends string = 'approved' | 'rejected',
    Form extends AnyForm = boolean,
    To extends Target = never,
    Taken extends string = never,
  >(
    id: New<Id, C, N>,
    options: Given<Names<C, N>, ApprovalOptions<Outcome, Form>>,
    flow?: OutcomeFlow<To, Taken>,
  ): Behind<C, N, J | To | Misnamed<Id, Taken, Outcome>, Id, ApprovalOutput<Outcome, Form>, Outcome | 'timeout'>;

  /** Runs branches side by side: `.parallel('both', { left: (branch) => branch.action(…), right: … })`. */
  parallel<
    Id extends string,
    B extends { readonly [branch: string]: Finished },
    To extends Target = never,
    const J2 extends Join = 'all',
    Optional extends keyof B = never,
  >(
    id: New<Id, C, N>,
    branches: { readonly [Branch in keyof B]: (branch: Empty<Inside<C, N>>) => B[Branch] },
    options?: ParallelOptions<To, J2, Optional>,
  ): Behind<C, N, J | To, Id, Joined<{ readonly [Branch in keyof B]: B[Branch][typeof output] }, J2, Optional>>;

  /** Runs its body once for each item of a list. */
  forEach<
    Id extends string,
    Item,
    Output,
    As extends string = 'item',
    To extends Target = never,
    const J2 extends Join = 'all',
  >(
    id: New<Id, C, N>,
    items: Given<Names<C, N>, Items<Item, As>>,
    body: (
      each: Empty<Inside<C, N, { readonly [Name in As]: Ref<Item> } & { readonly index: Ref<number> }>>,
    ) => Finished<Output>,
    options?: FanOptions<To, J2>,
  ): Behind<C, N, J | To, Id, JoinedList<Output, J2>>;

  /** Walks nodes with a time limit or an undo of their own. */
  scope<Id extends string, Output, To extends Target = never>(
    id: New<Id, C, N>,
    body: (scope: Empty<Inside<C, N>>) => Finished<Output>,
    options?: ScopeOptions<To>,
  ): Behind<C, N, J | To, Id, Output>;

  /** Begins a run of another definition, or a hand-written workflow. */
  workflow<Id extends string, D extends AnyChild, To extends Target = never>(
    id: New<Id, C, N>,
    child: D,
    input?: ChildInput<D, Names<C, N>>,
    options?: ChildOptions<To>,
  ): Behind<C, N, J | To, Id, RunOutputOf<D>>;

  /** Publishes an event. */
  emit<Id extends string, E extends AnyEvent, To extends Target = never>(
    id: New<Id, C, N>,
    event: E,
    data?: EventData<E, Names<C, N>>,
    options?: EmitOptions<To, Names<C, N>>,
  ): Behind<C, N, J | To, Id>;

  /** Ends the run from any depth. */
  end<Id extends string, To extends Target = never>(
    id: New<Id, C, N>,
    end?: Given<Names<C, N>, EndOptions>,
    flow?: Flow<To>,
  ): Behind<C, N, J | To, Id, Last>;

  /** A node as it stands in JSON; it leads only where it says. */
  node<Id extends string>(node: Node & { readonly id: New<Id, C, N> }): Behind<C, N, J, Id, unknown>;

  /** What leaves the scope, or the run; default: the output of its last node. */
  output<V>(value: Given<Names<C, N>, V>): Steps<C, N, J, Plain<V>>;

  /** Hides values in records, logs and pages. */
  redact(paths: Given<Names<C, N>, readonly (Typed<unknown> | string)[]>): Steps<C, N, J, Last>;

  /**
   * The definition as plain data, checked.
   *
   * @throws FermataError `definition.invalid`, with the issues in its details
   */
  build(this: Whole, options?: CheckOptions): Built<C['input'], Last>;
}
