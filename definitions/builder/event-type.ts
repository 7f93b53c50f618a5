/** Types of events, declared once and used by triggers, waits and `emit`. */
import type { CloudEvent } from '../types.ts';
import type { InputOf, StandardSchema } from './standard-schema.ts';
import type { TYPE } from './typed.ts';

/** An event type, with the type of its data. */
export interface EventType<Name extends string = string, Data = unknown> {
  readonly type: Name;
  readonly [TYPE]?: Data;
}

/** An event as it arrives. */
export type EventOf<Data> = Omit<CloudEvent, 'data'> & { readonly data: Data };

/**
 * Declares an event type; the schema of the data is used for its type only.
 *
 * @example
 * const leadCreated = eventType('lead.created', z.object({ id: z.string() }));
 * const leadLost = eventType('lead.lost').of<{ reason: string }>();
 */
export function eventType<Name extends string>(type: Name): OpenEventType<Name>;
export function eventType<Name extends string, S extends StandardSchema>(
  type: Name,
  data: S,
): EventType<Name, InputOf<S>>;
export function eventType(type: string): OpenEventType<string> {
  return { type, of: () => ({ type }) };
}

/** An event type whose data has no type yet. */
export interface OpenEventType<Name extends string> extends EventType<Name> {
  of<Data>(): EventType<Name, Data>;
}

/** An event by its declared type, or by name. */
export type AnyEvent = EventType | string;

export type DataOf<E> = E extends EventType<string, infer Data> ? Data : unknown;

export type TypeNameOf<E> = E extends EventType<infer Name> ? Name : E extends string ? E : never;
