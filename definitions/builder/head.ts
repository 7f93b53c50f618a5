/**
 * The head of a definition under construction: what stands before its nodes.
 *
 * What it is not: checked against the order of the methods. Types come from what was said before, so say `on` and
 * `input` first, `vars` next.
 */
import type { Definition, DurationText, FilterOperators, Filters, JsonSchema, KeyPolicy, Scalar } from '../types.ts';
import type { EventOf, EventType } from './event-type.ts';
import type { Context, Extensions, Given, NamesAtEvent, NamesBefore } from './names.ts';
import type { InputOf, StandardSchema } from './standard-schema.ts';
import type { Steps } from './steps.ts';
import type { AnyValue, Condition, Plain, Value } from './typed.ts';

/** Fields of a definition that are plain values. `trigger`: as it stands in JSON; typed events come from `on`. */
export interface DefinitionOptions
  extends Pick<
      Definition,
      | '$schema'
      | 'trigger'
      | 'name'
      | 'description'
      | 'tags'
      | 'enabled'
      | 'start'
      | 'defaults'
      | 'timeout'
      | 'onFailure'
    >,
    Extensions {}

export interface Head<C extends Context> extends Steps<C, unknown, never, null> {
  /** Events of a type start runs. Several triggers may be named. */
  on<Data = unknown>(
    event: EventType<string, Data> | string,
    options?: Given<NamesAtEvent<EventOf<Data>>, EventOptions<Data>>,
  ): Head<HeadContext<C['event'] | EventOf<Data>, C['input'], C['vars']>>;

  /** A schedule starts runs: `.schedule({ cron: '0 9 * * 1', timeZone: 'Europe/Paris' })`. */
  schedule(options: ScheduleOptions): Head<HeadContext<C['event'] | null, C['input'], C['vars']>>;

  /** Calls of a webhook are events, which start runs. */
  webhook<Data = unknown>(
    path: string,
    options: Given<NamesAtEvent<EventOf<Data>>, WebhookOptions<Data>>,
  ): Head<HeadContext<C['event'] | EventOf<Data>, C['input'], C['vars']>>;

  /** What a run must be given: a schema of zod or the like, which gives the type too, or a JSON Schema. */
  input<S extends StandardSchema>(schema: S): Head<HeadContext<C['event'], InputOf<S>, C['vars']>>;
  input<Input = unknown>(schema: JsonSchema): Head<HeadContext<C['event'], Input, C['vars']>>;

  /** Initial variables. One that is set later only is said by its type: `.vars<{ owner?: string }>({})`. */
  vars<V extends object>(values: Given<NamesBefore<C>, V>): Head<HeadContext<C['event'], C['input'], Plain<V>>>;
  vars<V extends object>(
    values: Given<NamesBefore<C>, { readonly [Name in keyof V]: Value<V[Name]> }>,
  ): Head<HeadContext<C['event'], C['input'], V>>;

  /** What a run is about. */
  entity(entity: Given<NamesBefore<C>, { readonly type: Value<string>; readonly id: AnyValue }>): Head<C>;

  /** One open run per value. */
  key(key: Given<NamesBefore<C>, { readonly value: AnyValue; readonly onConflict: KeyPolicy }>): Head<C>;
}

/** The context of the top scope. */
export interface HeadContext<Event, Input, Vars> extends Context {
  readonly event: Event;
  readonly input: Input;
  readonly vars: Vars;
  readonly outer: unknown;
  readonly locals: unknown;
  readonly of: 'definition';
}

export interface EventOptions<Data> {
  /** Paths into the data of the event; all must hold. */
  readonly filters?: FiltersOf<Data>;
  readonly filter?: Condition;
  /** Maps the event to the run's input; default: its data. */
  readonly input?: AnyValue;
}

export interface WebhookOptions<Data> extends EventOptions<Data> {
  readonly event: EventType<string, Data> | string;
  readonly secret?: string;
}

export interface ScheduleOptions {
  readonly cron?: string;
  readonly every?: DurationText;
  readonly timeZone?: string;
  readonly overlap?: 'skip' | 'bufferOne' | 'bufferAll' | 'cancelOther' | 'terminateOther' | 'allowAll';
  readonly catchUp?: DurationText;
  readonly jitter?: DurationText;
  readonly input?: AnyValue;
}

/** Tests of the fields of `Data`, three levels deep. */
export type FiltersOf<Data> = unknown extends Data
  ? Filters
  : { readonly [Path in PathOf<Data, 3>]?: TestOf<FieldAt<Data, Path>> };

type TestOf<T> = Extract<T, Scalar> | readonly Extract<T, Scalar>[] | FilterOperators;

type PathOf<T, Depth extends number> = T extends readonly unknown[]
  ? never
  : T extends object
    ? {
        [Key in keyof T & string]-?:
          | Key
          | (Depth extends 1 ? never : `${Key}.${PathOf<NonNullable<T[Key]>, Less<Depth>>}`);
      }[keyof T & string]
    : never;

type Less<Depth extends number> = Depth extends 3 ? 2 : 1;

type FieldAt<T, Path extends string> = Path extends keyof T
  ? T[Path]
  : Path extends `${infer Key}.${infer Rest}`
    ? Key extends keyof T
      ? FieldAt<NonNullable<T[Key]>, Rest>
      : never
    : never;
