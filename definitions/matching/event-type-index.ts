/**
 * The subscriptions of one tenant to one event type.
 *
 * What it is not: a judge. It finds the triggers that may hold; `SubscriptionIndex` asks what is left of each.
 *
 * Invariants:
 * 1. Every trigger is in exactly one {@link FieldSet}, under all of its keys, so an event finds it at most once.
 * 2. There are at most {@link MAX_FIELD_SETS} sets of several fields: an event's cost does not follow the variety of
 *    filters. A trigger past that goes where fewer of its fields are hashed, and is asked the rest.
 */
import type { EventTrigger, Filters, Json } from '../types.ts';
import { FieldSet } from './field-set.ts';
import { type LookupKey, lookupKeys } from './lookup-key.ts';
import { type HashedField, hashedFields } from './hashed-fields.ts';

export const MAX_FIELD_SETS = 64;

/** One definition as subscribed to one event type. */
export interface Subscriber {
  readonly definitionId: string;
  readonly version: number;
  /** Its triggers of this event type, in the order of the document; at least one. */
  readonly triggers: readonly Candidate[];
}

/** One trigger, with what is needed to judge it. */
export interface Candidate {
  readonly subscriber: Subscriber;
  /** Its place among all triggers of the definition. */
  readonly position: number;
  readonly filters: Filters;
  readonly filter: string | null;
  /** The paths of `filters` that being found does not answer. */
  readonly asked: readonly string[];
  readonly home: FieldSet<Candidate>;
}

/** A trigger and its place among all triggers of its definition. */
export interface PlacedTrigger {
  readonly trigger: EventTrigger;
  readonly position: number;
}

export class EventTypeIndex {
  readonly #fieldSets = new Map<string, FieldSet<Candidate>>();
  readonly #subscribers = new Map<string, Subscriber>();
  #sortedIds: string[] | null = null;

  get isEmpty(): boolean {
    return this.#subscribers.size === 0;
  }

  /** `definitionId` must not be subscribed. */
  add(definitionId: string, version: number, placed: readonly PlacedTrigger[]): void {
    const subscriber = { definitionId, version, triggers: [] as readonly Candidate[] };
    subscriber.triggers = placed.map(({ trigger, position }) => this.#place(subscriber, trigger, position));
    this.#subscribers.set(definitionId, subscriber);
    this.#sortedIds = null;
  }

  remove(definitionId: string): void {
    for (const candidate of this.#subscribers.get(definitionId)?.triggers ?? []) this.#displace(candidate);
    if (this.#subscribers.delete(definitionId)) this.#sortedIds = null;
  }

  /** The triggers that may hold for an event with this `data`, each once, in no order. */
  candidates(data: Json): Candidate[] {
    const found: Candidate[] = [];
    for (const fieldSet of this.#fieldSets.values()) fieldSet.collect(data, found);
    return found;
  }

  /** Up to `limit` subscribers whose id comes after `after`, by id. */
  page(after: string, limit: number): Subscriber[] {
    this.#sortedIds ??= [...this.#subscribers.keys()].sort();
    const start = firstAfter(this.#sortedIds, after);
    return this.#sortedIds.slice(start, start + limit).flatMap((id) => this.#subscribers.get(id) ?? []);
  }

  #place(subscriber: Subscriber, trigger: EventTrigger, position: number): Candidate {
    const { filters, filter } = detached(trigger);
    const fields = hashedFields(filters, filter);
    const home = this.#homeOf(fields);
    const asked = askedPaths(filters, fields, home);
    const candidate = { subscriber, position, filters, filter, asked, home };
    home.add(keysIn(home, fields), candidate);
    return candidate;
  }

  #displace(candidate: Candidate): void {
    const { home, filters, filter } = candidate;
    home.remove(keysIn(home, hashedFields(filters, filter)), candidate);
    if (home.size === 0) this.#fieldSets.delete(home.fieldIds.join());
  }

  /** The set of exactly these fields, or, when there are too many sets, of some of them. */
  #homeOf(fields: readonly HashedField[]): FieldSet<Candidate> {
    const exact = this.#fieldSets.get(fields.map((field) => field.id).join());
    if (exact !== undefined) return exact;
    if (fields.length <= 1 || this.#fieldSets.size < MAX_FIELD_SETS) return this.#newFieldSet(fields);
    return this.#largestWithin(fields) ?? this.#homeOf(fields.slice(0, 1));
  }

  #newFieldSet(fields: readonly HashedField[]): FieldSet<Candidate> {
    const fieldSet = new FieldSet<Candidate>(fields);
    this.#fieldSets.set(fieldSet.fieldIds.join(), fieldSet);
    return fieldSet;
  }

  #largestWithin(fields: readonly HashedField[]): FieldSet<Candidate> | null {
    const ids = new Set(fields.map((field) => field.id));
    let largest: FieldSet<Candidate> | null = null;
    for (const fieldSet of this.#fieldSets.values()) {
      const size = fieldSet.fieldIds.length;
      if (size > (largest?.fieldIds.length ?? 0) && fieldSet.fieldIds.every((id) => ids.has(id))) largest = fieldSet;
    }
    return largest;
  }
}

/** The keys of a trigger with `fields` in `home`, whose fields are all among them. */
function keysIn(home: FieldSet<Candidate>, fields: readonly HashedField[]): LookupKey[] {
  const values = new Map(fields.map((field) => [field.id, field.values]));
  return lookupKeys(home.fieldIds.map((id) => values.get(id) ?? []));
}

const NOTHING: readonly string[] = [];

function askedPaths(filters: Filters, fields: readonly HashedField[], home: FieldSet<Candidate>): readonly string[] {
  const answered = new Set<string>();
  for (const { text, id, complete } of fields) {
    if (complete && text !== null && home.fieldIds.includes(id)) answered.add(text);
  }
  const asked = Object.keys(filters).filter((path) => !answered.has(path));
  // A slice has the size of its content; an array that grew has room for sixteen more.
  return asked.length === 0 ? NOTHING : asked.slice();
}

/** What is kept of a trigger: a copy, so that neither the document nor its text stays in memory. */
function detached({ filters = {}, filter = null }: { filters?: Filters; filter?: string | null }) {
  return JSON.parse(JSON.stringify({ filters, filter })) as { filters: Filters; filter: string | null };
}

/** Where the first id greater than `after` is, or would be. */
function firstAfter(ids: readonly string[], after: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
