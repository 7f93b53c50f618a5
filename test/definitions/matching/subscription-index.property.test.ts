/**
 * The index against the language: asking every trigger of every subscription in turn. fast-check prints the seed and the
 * path of a counterexample; `FERMATA_SEED=<seed>` runs it again.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileExpression, Meter } from '../../../definitions/expressions/index.ts';
import { matchFilters } from '../../../definitions/filters.ts';
import { type Subscription, SubscriptionIndex } from '../../../definitions/matching/index.ts';
import type { CloudEvent, EventTrigger, Filters, FilterTest, Json, Scalar } from '../../../definitions/types.ts';
import { event } from './builders.ts';

const seed = process.env['FERMATA_SEED'];
const parameters = { numRuns: 200, ...(seed !== undefined && { seed: Number(seed) }) };

/** Few paths and values, so that triggers and events meet often; near misses of each other, so that casts would show. */
const PATHS = ['a', 'b', 'c.d', 'c["d"]', 'c', 'l[0]', '["a.b"]', '__proto__'];
const scalar = fc.constantFrom<Scalar>(0, -0, 1, 5, '5', '', 'x', 'xy', 's1:x', null, 'null', true, 'true');
const text = fc.constantFrom('', 'x', 'y', 's', '5');
const bound = fc.oneof(fc.constantFrom(0, 1, 5), text);

const operators: fc.Arbitrary<FilterTest> = fc.record(
  {
    eq: scalar,
    ne: scalar,
    gt: bound,
    lte: bound,
    in: fc.array(scalar, { maxLength: 3 }),
    notIn: fc.array(scalar, { maxLength: 2 }),
    exists: fc.boolean(),
    prefix: text,
    contains: scalar,
  },
  { requiredKeys: [] },
);
const longList = fc.constantFrom<FilterTest>(Array.from({ length: 20 }, (_, place) => place));
const filterTest: fc.Arbitrary<FilterTest> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 4 }) },
  { weight: 1, arbitrary: longList },
  { weight: 2, arbitrary: operators },
);

/** Through text, as data from outside comes, so that `__proto__` is an own key. */
function ofEntries<T extends Json | FilterTest>(
  entries: readonly (readonly [string, T])[],
): { readonly [key: string]: T } {
  return JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`) as {
    readonly [key: string]: T;
  };
}

const filters: fc.Arbitrary<Filters> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...PATHS), filterTest), { maxLength: 4, selector: ([path]) => path })
  .map(ofEntries);

const TYPES = ['lead.created', 'lead.updated'];
const filter = fc.constantFrom(
  'event.data.a == 5',
  'event.data.a == "5" && event.data.b != null',
  'event.data.b == "x" && event.data.c.d > 0',
  'event.data.a == 1 || event.data.b == "x"',
  'event.data.a == 1 && (event.data.b == "x" || has(event.data.c))',
  'event.data.a == 1 && true || true',
  'event.type == "lead.created"',
  'event.data.missing',
  'event.data.a < "y"',
  '1 + 1',
);
const trigger: fc.Arbitrary<EventTrigger> = fc.record(
  { event: fc.constantFrom(...TYPES), filters, filter },
  { requiredKeys: ['event'] },
);

const TENANTS = ['default', 'other'];
const subscription: fc.Arbitrary<Subscription> = fc.record({
  tenant: fc.constantFrom(...TENANTS),
  definitionId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  version: fc.integer({ min: 1, max: 3 }),
  triggers: fc.array(trigger, { maxLength: 3 }),
});

const leaf: fc.Arbitrary<Json> = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.constant({ d: 1 }));
const data: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'l', 'a.b', '__proto__'), leaf), {
        selector: ([key]) => key,
      })
      .map((entries) => ofEntries<Json>(entries)),
  },
  { weight: 1, arbitrary: scalar },
);
const arriving: fc.Arbitrary<CloudEvent> = fc
  .tuple(data, fc.constantFrom(...TYPES))
  .map(([content, type]) => event(content, { type }));

function holds(each: EventTrigger, content: CloudEvent): boolean {
  if (each.event !== content.type || matchFilters(each.filters ?? {}, content.data) !== null) return false;
  return each.filter === undefined || isTrue(each.filter, content);
}

function isTrue(expression: string, content: CloudEvent): boolean {
  try {
    return compileExpression(expression).evaluate({ event: content }, new Meter()) === true;
  } catch {
    return false;
  }
}

/** What the language says: the last subscription of each definition, every trigger in turn. */
function askedInTurn(subscriptions: readonly Subscription[], content: CloudEvent, tenant: string) {
  const current = new Map<string, Subscription>();
  for (const each of subscriptions) if (each.tenant === tenant) current.set(each.definitionId, each);
  return [...current.values()]
    .map(({ definitionId, version, triggers }) => {
      const place = triggers.findIndex((each) => holds(each, content));
      return { definitionId, version, trigger: place, matched: true };
    })
    .filter((match) => match.trigger >= 0)
    .sort((left, right) => (left.definitionId < right.definitionId ? -1 : 1));
}

function indexOf(subscriptions: readonly Subscription[]): SubscriptionIndex {
  const index = new SubscriptionIndex();
  for (const each of subscriptions) index.add(each);
  return index;
}

test('match gives what asking every trigger in turn gives, and explain agrees', () => {
  const inputs = [fc.array(subscription, { maxLength: 20 }), fc.array(arriving, { maxLength: 10 })] as const;
  fc.assert(
    fc.property(...inputs, (subscriptions, events) => {
      const index = indexOf(subscriptions);
      for (const each of events) {
        for (const tenant of TENANTS) {
          const matches = index.match(each, tenant);
          expect(matches).toEqual(askedInTurn(subscriptions, each, tenant));
          expect(index.explain(each, tenant).answers.filter((answer) => answer.matched)).toEqual(matches);
        }
      }
    }),
    parameters,
  );
});

test('adding and removing in any order leaves what a fresh index has', () => {
  const removal = fc.record({ tenant: fc.constantFrom(...TENANTS), definitionId: fc.constantFrom('a', 'b', 'c', 'd') });
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: subscription }, { weight: 1, arbitrary: removal }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(steps, fc.array(arriving, { maxLength: 5 }), (changes, events) => {
      const index = new SubscriptionIndex();
      const kept = new Map<string, Subscription>();
      for (const change of changes) {
        const key = `${change.tenant} ${change.definitionId}`;
        kept.delete(key);
        if ('triggers' in change) index.add(change);
        else index.remove(change.tenant, change.definitionId);
        if ('triggers' in change && change.triggers.length > 0) kept.set(key, change);
      }
      const fresh = indexOf([...kept.values()]);
      expect(index.size).toBe(kept.size);
      for (const each of events) {
        for (const tenant of TENANTS) {
          expect(index.match(each, tenant)).toEqual(fresh.match(each, tenant));
          expect(index.explain(each, tenant)).toEqual(fresh.explain(each, tenant));
          expect(index.candidates(each, tenant).length).toBe(fresh.candidates(each, tenant).length);
        }
      }
    }),
    parameters,
  );
});
