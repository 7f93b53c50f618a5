import { describe, expect, test } from 'vitest';
import { type Subscription, SubscriptionIndex } from '../../../definitions/matching/index.ts';
import type { Filters, Json } from '../../../definitions/types.ts';
import { event, subscription, trigger } from './builders.ts';

function indexOf(...subscriptions: Subscription[]): SubscriptionIndex {
  const index = new SubscriptionIndex();
  for (const each of subscriptions) index.add(each);
  return index;
}

function matchingIds(index: SubscriptionIndex, data: Json, tenant = 'default'): string[] {
  return index.match(event(data), tenant).map((match) => match.definitionId);
}

describe('one trigger', () => {
  const LEAD: Json = {
    source: 'Facebook',
    company: { size: 50 },
    tags: ['vip'],
    none: null,
    '5': 5,
    'a.b': 1,
    a: { b: 2 },
  };

  test.each<[Filters | undefined]>([
    [undefined],
    [{}],
    [{ source: 'Facebook' }],
    [{ source: ['Google', 'Facebook'], 'company.size': { gte: 50 } }],
    [{ source: { eq: 'Facebook', prefix: 'F' }, 'company.size': 50 }],
    [{ source: { in: ['Facebook'], notIn: ['Google'] } }],
    [{ none: null, '5': 5, 'tags[0]': 'vip' }],
    [{ 'a.b': 2, '["a.b"]': 1 }],
    [{ 'a.b': 2, 'a["b"]': 2 }],
    [{ missing: { exists: false }, other: { ne: 1 }, last: { notIn: [1] } }],
  ])('%j matches', (filters) => {
    expect(matchingIds(indexOf(subscription('d', trigger(filters))), LEAD)).toEqual(['d']);
  });

  test.each<[Filters, string]>([
    [{ source: 'Web' }, 'source is "Facebook", not "Web"'],
    [{ source: 'Facebook', 'company.size': { gte: 51 } }, 'company.size is 50, not at least 51'],
    [{ 'company.size': '50' }, 'company.size is 50, not "50"'],
    [{ source: { eq: 'Facebook', prefix: 'G' } }, 'source is "Facebook", not a text that begins with "G"'],
    [{ missing: null }, 'missing is absent, not null'],
    [{ 'a.b': 2, 'a["b"]': 3 }, 'a["b"] is 2, not 3'],
    [{ constructor: { exists: true } }, 'constructor is absent, not present'],
  ])('%j does not match, and the answer says why', (filters, message) => {
    const index = indexOf(subscription('d', trigger(filters)));
    expect(matchingIds(index, LEAD)).toEqual([]);
    expect(index.explain(event(LEAD), 'default').answers).toEqual([
      {
        definitionId: 'd',
        version: 1,
        trigger: 0,
        matched: false,
        reason: expect.objectContaining({ kind: 'filters', message }),
      },
    ]);
  });

  test('one of an empty list never matches', () => {
    const index = indexOf(
      subscription('d', trigger({ source: [] })),
      subscription('e', trigger({ source: 'x', 'a.b': [] })),
    );
    expect(matchingIds(index, { source: 'x', a: { b: 1 } })).toEqual([]);
    expect(index.explain(event(null), 'default').answers).toHaveLength(2);
    index.remove('default', 'd');
    index.remove('default', 'e');
    expect(index.size).toBe(0);
  });

  test('data that is no object meets only triggers that want nothing', () => {
    const index = indexOf(subscription('all', trigger()), subscription('some', trigger({ source: 'x' })));
    for (const data of [null, 'source', 5, ['x']] as Json[]) expect(matchingIds(index, data)).toEqual(['all']);
  });

  test('__proto__ is a path and a key like any other', () => {
    const filters = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Filters;
    const index = indexOf(subscription('d', trigger(filters)));
    expect(matchingIds(index, {})).toEqual([]);
    expect(matchingIds(index, JSON.parse('{"__proto__": "x", "constructor": "y"}') as Json)).toEqual(['d']);
  });

  test('a filter whose path is none is refused and changes nothing', () => {
    const index = indexOf(subscription('d', trigger({ a: 1 })));
    const broken = subscription('d', trigger(), trigger({ 'a[b': { exists: false } }));
    expect(() => index.add(broken)).toThrow('"a[b" is no path');
    expect(index.size).toBe(1);
    expect(matchingIds(index, { a: 1 })).toEqual(['d']);
    expect(matchingIds(index, {})).toEqual([]);
  });

  test('the document that was added may change or go afterwards', () => {
    const filters = { source: 'x', size: { gte: 5 } };
    const index = indexOf(subscription('d', trigger(filters)));
    filters.source = 'y';
    filters.size.gte = 50;
    expect(matchingIds(index, { source: 'x', size: 5 })).toEqual(['d']);
    index.remove('default', 'd');
    expect(matchingIds(index, { source: 'x', size: 5 })).toEqual([]);
  });
});

describe('a CEL filter', () => {
  const DATA: Json = { score: 5, kind: 'x', tags: ['vip'] };

  test.each([
    'event.data.score > 3',
    'event.data.kind == "x" && "vip" in event.data.tags',
    'event.source == "/crm" && event.type.startsWith("lead.")',
    'get(event.data, "missing", 0) == 0',
  ])('%s matches', (filter) => {
    const index = indexOf(subscription('d', trigger({ score: 5 }, { filter })));
    expect(matchingIds(index, DATA)).toEqual(['d']);
    expect(index.explain(event(DATA), 'default').answers).toMatchObject([{ matched: true }]);
  });

  test.each([
    ['event.data.score > 5', 'filter', /^filter `event.data.score > 5` is false$/],
    ['event.data.missing > 5', 'error', /missing in event.data/],
    ['event.data.kind > 5', 'error', /string > .*int/],
    ['event.data.kind', 'error', /^filter `event.data.kind` is neither true nor false$/],
    ['input.score == 5', 'error', /unknown name: input/],
    ['event.data.kind ==', 'error', /./],
  ])('%s does not match, kind %s', (filter, kind, message) => {
    const index = indexOf(subscription('d', trigger({ score: 5 }, { filter })));
    expect(matchingIds(index, DATA)).toEqual([]);
    expect(index.explain(event(DATA), 'default').answers).toMatchObject([
      { reason: { kind, path: filter, message: expect.stringMatching(message) } },
    ]);
  });

  test('is asked after filters, and not at all where they do not hold', () => {
    const index = indexOf(subscription('d', trigger({ kind: 'y' }, { filter: 'event.data.missing' })));
    expect(index.explain(event(DATA), 'default').answers).toMatchObject([{ reason: { kind: 'filters' } }]);
  });

  test('has its equalities looked up like those of filters', () => {
    const index = new SubscriptionIndex();
    for (let place = 0; place < 100; place++) {
      index.add(
        subscription(
          `d-${place}`,
          trigger({}, { filter: `event.data.score == ${place} && size(event.data.tags) > 0` }),
        ),
      );
    }
    expect(index.candidates(event(DATA), 'default')).toHaveLength(1);
    expect(matchingIds(index, DATA)).toEqual(['d-5']);
    for (let place = 0; place < 100; place++) index.remove('default', `d-${place}`);
    expect(index.candidates(event(DATA), 'default')).toEqual([]);
  });
});

describe('several triggers of one definition', () => {
  const index = indexOf(
    subscription(
      'd',
      trigger({}, { event: 'lead.updated' }),
      trigger({ source: 'Web', size: { gte: 10 } }),
      trigger({ source: ['Web', 'Shop'] }),
      trigger({ kind: 'x' }),
    ),
  );

  test('give one match: the first trigger that holds', () => {
    expect(index.match(event({ source: 'Web', size: 10, kind: 'x' }), 'default')).toMatchObject([{ trigger: 1 }]);
    expect(index.match(event({ source: 'Web', kind: 'x' }), 'default')).toMatchObject([{ trigger: 2 }]);
    expect(index.match(event({ kind: 'x' }), 'default')).toMatchObject([{ trigger: 3 }]);
    expect(index.match(event({}, { type: 'lead.updated' }), 'default')).toMatchObject([{ trigger: 0 }]);
  });

  test('are explained by the first for the event type', () => {
    expect(index.explain(event({ source: 'Fax' }), 'default').answers).toMatchObject([
      { trigger: 1, matched: false, reason: { path: 'source', message: 'source is "Fax", not "Web"' } },
    ]);
  });
});

describe('tenants and types', () => {
  test('never see each other, whatever their names hold', () => {
    const index = new SubscriptionIndex();
    index.add({ tenant: 'a', definitionId: 'd', version: 1, triggers: [trigger({}, { event: 's1:b' })] });
    index.add({ tenant: 'as', definitionId: 'd', version: 2, triggers: [trigger({}, { event: '1:b' })] });
    expect(index.match(event(null, { type: 's1:b' }), 'a')).toMatchObject([{ version: 1 }]);
    expect(index.match(event(null, { type: '1:b' }), 'as')).toMatchObject([{ version: 2 }]);
    expect(index.match(event(null, { type: '1:b' }), 'a')).toEqual([]);
    expect(index.match(event(null, { type: 'constructor' }), '__proto__')).toEqual([]);
    expect(index.size).toBe(2);
  });
});

describe('adding and removing', () => {
  test('adding a definition again replaces what it subscribed to', () => {
    const index = indexOf(subscription('d', trigger({ source: 'x' })));
    index.add({ ...subscription('d', trigger({ source: 'y' })), version: 2 });
    expect(matchingIds(index, { source: 'x' })).toEqual([]);
    expect(index.match(event({ source: 'y' }), 'default')).toMatchObject([{ version: 2 }]);
    expect(index.size).toBe(1);
  });

  test('adding without triggers, and removing what is not there, change nothing else', () => {
    const index = indexOf(subscription('d', trigger()), subscription('e', trigger()));
    index.add(subscription('d'));
    index.remove('default', 'd');
    index.remove('nobody', 'e');
    expect(matchingIds(index, {})).toEqual(['e']);
    expect(index.size).toBe(1);
  });
});

describe('the look-up', () => {
  test('finds as few triggers among many as among few', () => {
    const index = new SubscriptionIndex();
    for (let place = 0; place < 3000; place++) {
      index.add(subscription(`d-${place}`, trigger({ account: Math.floor(place / 3), size: { gte: place } })));
    }
    const arriving = event({ account: 7, size: 21 });
    expect(index.candidates(arriving, 'default')).toHaveLength(3);
    expect(index.match(arriving, 'default')).toMatchObject([{ definitionId: 'd-21' }]);
  });

  test('stays right with lists too long to hash', () => {
    const numbers = Array.from({ length: 100 }, (_, place) => place);
    const index = indexOf(
      subscription('product', trigger({ a: numbers, b: numbers })),
      subscription('long', trigger({ a: [...numbers, ...numbers.map((number) => number + 100)] })),
    );
    expect(matchingIds(index, { a: 99, b: 0 })).toEqual(['long', 'product']);
    expect(matchingIds(index, { a: 150, b: 0 })).toEqual(['long']);
    expect(matchingIds(index, { a: 5, b: 100 })).toEqual(['long']);
  });

  test('stays right and bounded when every trigger wants other fields', () => {
    const index = new SubscriptionIndex();
    const fieldsOf = (place: number) => Array.from({ length: 10 }, (_, bit) => bit).filter((bit) => (place >> bit) & 1);
    for (let place = 0; place < 1024; place++) {
      index.add(
        subscription(`d-${place}`, trigger(Object.fromEntries(fieldsOf(place).map((field) => [`f${field}`, 1])))),
      );
    }
    expect(matchingIds(index, { f1: 1, f3: 1, f4: 2 }).sort()).toEqual(['d-0', 'd-10', 'd-2', 'd-8']);
    const everything = Object.fromEntries(fieldsOf(1023).map((field) => [`f${field}`, 1]));
    expect(matchingIds(index, everything)).toHaveLength(1024);
    for (let place = 0; place < 1024; place++) index.remove('default', `d-${place}`);
    expect(matchingIds(index, everything)).toEqual([]);
    expect(index.size).toBe(0);
  });
});

describe('explaining', () => {
  test('goes by definition id, a page at a time, however the index changes between pages', () => {
    const index = new SubscriptionIndex();
    for (const id of ['e', 'b', 'd', 'a', 'c']) index.add(subscription(id, trigger({ source: id })));
    const arriving = event({ source: 'b' });
    const first = index.explain(arriving, 'default', { limit: 2 });
    expect(first.answers.map((answer) => [answer.definitionId, answer.matched])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(first.next).toBe('b');
    index.remove('default', 'b');
    index.add(subscription('bb', trigger()));
    const second = index.explain(arriving, 'default', { limit: 4, after: 'b' });
    expect(second.answers.map((answer) => answer.definitionId)).toEqual(['bb', 'c', 'd', 'e']);
    expect(second.next).toBeNull();
  });

  test('says nothing of definitions that do not subscribe to the event type', () => {
    const index = indexOf(subscription('d', trigger()));
    expect(index.explain(event({}, { type: 'other' }), 'default')).toEqual({ answers: [], next: null });
  });
});
