/**
 * The in-memory index that answers which of very many subscribed definitions an event matches.
 *
 * How: tenant → event type → one hash look-up for each set of fields that triggers want equal; ranges, other operators
 * and the CEL `filter` are then asked of the few triggers found. An event that equals few triggers costs the same among
 * a thousand subscriptions and a million.
 *
 * What it is not: a source of truth. Its owner adds what is published, enabled and active, and removes what is not.
 *
 * Invariants:
 * 1. `match` gives exactly the definitions of which a trigger holds when every trigger is asked in turn.
 * 2. Any order of `add` and `remove` leaves the same answers as a fresh index with the same subscriptions.
 * 3. No document is kept: of a definition its id, version and trigger filters stay.
 * 4. Nothing crosses tenants.
 *
 * Limits: triggers of one tenant and type without any equality are asked one by one.
 */
import { knownPath } from '../json/known-paths.ts';
import type { CloudEvent, EventTrigger } from '../types.ts';
import { type Candidate, EventTypeIndex, type PlacedTrigger, type Subscriber } from './event-type-index.ts';
import { type LookupKey, lookupKey } from './lookup-key.ts';
import { holds, mismatch } from './judge.ts';
import type { Mismatch } from './mismatch.ts';

/** The active version of an enabled definition. */
export interface Subscription {
  readonly tenant: string;
  readonly definitionId: string;
  readonly version: number;
  /** All event triggers, in the order of the document. */
  readonly triggers: readonly EventTrigger[];
}

export type Match = Matched | NotMatched;

export interface Matched {
  readonly definitionId: string;
  readonly version: number;
  /** Index in `triggers` of the first that holds. */
  readonly trigger: number;
  readonly matched: true;
}

export interface NotMatched {
  readonly definitionId: string;
  readonly version: number;
  /** Index in `triggers` of the first for this event type; the reason is its. */
  readonly trigger: number;
  readonly matched: false;
  readonly reason: Mismatch;
}

export interface ExplainOptions {
  /** Continue behind this definition id: the `next` of the page before. Default: from the first. */
  readonly after?: string;
  /** Most answers of one page. Default 100. */
  readonly limit?: number;
}

export interface Explanation {
  /** One per definition subscribed to the event's type, by definition id. */
  readonly answers: readonly Match[];
  /** `after` of the next page; `null`: this was the last. */
  readonly next: string | null;
}

const DEFAULT_LIMIT = 100;

export class SubscriptionIndex {
  /** By tenant and event type; one flat map, since most tenants have few of either. */
  readonly #types = new Map<LookupKey, EventTypeIndex>();
  /** By tenant and definition id: the event types subscribed to. */
  readonly #definitions = new Map<LookupKey, readonly string[]>();

  /** How many definitions are subscribed, all tenants together. */
  get size(): number {
    return this.#definitions.size;
  }

  /**
   * Subscribes a definition, in place of what it subscribed to before.
   * @throws RunError `EXPRESSION_ERROR` for a filter whose path is none; nothing has changed then.
   */
  add({ tenant, definitionId, version, triggers }: Subscription): void {
    for (const { filters } of triggers) Object.keys(filters ?? {}).forEach(knownPath);
    this.remove(tenant, definitionId);
    if (triggers.length === 0) return;
    const byType = groupByType(triggers);
    for (const [type, placed] of byType) {
      const key = lookupKey([tenant, type]);
      const index = this.#types.get(key) ?? new EventTypeIndex();
      this.#types.set(key, index);
      index.add(definitionId, version, placed);
    }
    this.#definitions.set(lookupKey([tenant, definitionId]), [...byType.keys()].slice());
  }

  /** Ends a definition's subscriptions; nothing happens if it has none. */
  remove(tenant: string, definitionId: string): void {
    const key = lookupKey([tenant, definitionId]);
    for (const type of this.#definitions.get(key) ?? []) {
      const typeKey = lookupKey([tenant, type]);
      const index = this.#types.get(typeKey);
      index?.remove(definitionId);
      if (index?.isEmpty) this.#types.delete(typeKey);
    }
    this.#definitions.delete(key);
  }

  /** The definitions that the event matches, by id, each with the first of its triggers that holds. */
  match(event: CloudEvent, tenant: string): Matched[] {
    const first = new Map<Subscriber, number>();
    for (const candidate of this.candidates(event, tenant)) {
      const { subscriber, position } = candidate;
      const known = first.get(subscriber);
      if ((known === undefined || position < known) && holds(candidate, event)) first.set(subscriber, position);
    }
    return Array.from(first, ([subscriber, position]) => matched(subscriber, position)).sort(byDefinitionId);
  }

  /** For the definitions subscribed to the event's type, a page at a time: the match, or the first filter that did not hold. */
  explain(event: CloudEvent, tenant: string, options: ExplainOptions = {}): Explanation {
    const { after = '', limit = DEFAULT_LIMIT } = options;
    const page = this.#typeOf(event, tenant)?.page(after, limit + 1) ?? [];
    const answers = page.slice(0, limit).map((subscriber) => answer(subscriber, event));
    return { answers, next: page.length > limit ? (answers.at(-1)?.definitionId ?? null) : null };
  }

  /** What the look-up alone finds: every trigger that may hold, each once, in no order. */
  candidates(event: CloudEvent, tenant: string): readonly Candidate[] {
    return this.#typeOf(event, tenant)?.candidates(event.data) ?? [];
  }

  #typeOf(event: CloudEvent, tenant: string): EventTypeIndex | undefined {
    return this.#types.get(lookupKey([tenant, event.type]));
  }
}

function groupByType(triggers: readonly EventTrigger[]): Map<string, PlacedTrigger[]> {
  const byType = new Map<string, PlacedTrigger[]>();
  for (const [position, trigger] of triggers.entries()) {
    const placed = byType.get(trigger.event);
    if (placed === undefined) byType.set(trigger.event, [{ trigger, position }]);
    else placed.push({ trigger, position });
  }
  return byType;
}

function answer(subscriber: Subscriber, event: CloudEvent): Match {
  let told: NotMatched | null = null;
  for (const candidate of subscriber.triggers) {
    const reason = mismatch(candidate, event);
    if (reason === null) return matched(subscriber, candidate.position);
    const { definitionId, version } = subscriber;
    told ??= { definitionId, version, trigger: candidate.position, matched: false, reason };
  }
  if (told === null) throw new RangeError(`Definition ${subscriber.definitionId} is subscribed without a trigger`);
  return told;
}

function matched({ definitionId, version }: Subscriber, position: number): Matched {
  return { definitionId, version, trigger: position, matched: true };
}

function byDefinitionId(left: Matched, right: Matched): number {
  return left.definitionId < right.definitionId ? -1 : 1;
}
