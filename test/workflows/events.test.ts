/** The rules by which events come to waits, beside those that `test/testing/events.test.ts` shows in whole runs. */
import { describe, expect, it } from 'vitest';
import { jsonBytes } from '../../definitions/json/size.ts';
import type { CloudEvent, Json, Node } from '../../definitions/types.ts';
import { simulate } from '../../testing/index.ts';
import type { EventState } from '../../workflows/event-state.ts';
import type { RunContext } from '../../workflows/context.ts';
import { addEvents, giveOut, inboxOf, receiveEvent } from '../../workflows/events.ts';
import { Random } from '../definitions/random.ts';

function aRun(): RunContext {
  const run = { checkpoint: {}, eventWaits: new Map(), start: { event: null }, effects: { now: () => 1_000 } };
  return run as unknown as RunContext;
}

const event = (id: string, data: Json = null): CloudEvent => ({ id, type: 'paid', source: '/', time: '', data });

function openWait(run: RunContext, seq: number, more: Partial<EventState> = {}): EventState {
  const waitId = `w${seq}`;
  const state: EventState = {
    kind: 'event',
    waitId,
    types: ['paid'],
    correlation: {},
    since: null,
    timeoutAt: null,
    known: null,
    stale: false,
    after: null,
    taken: null,
    missed: [],
    ...more,
  };
  run.eventWaits.set(waitId, { seq, state, passes: () => true });
  return state;
}

describe('what a run keeps of events', () => {
  it('is bounded in number and bytes; the oldest give way', () => {
    const run = aRun();
    for (let n = 1; n <= 150; n++) receiveEvent(run, event(`e${n}`), undefined);
    expect(inboxOf(run).kept.map((one) => one.event.id)).toEqual(Array.from({ length: 100 }, (_, n) => `e${n + 51}`));
    for (let n = 1; n <= 20; n++) receiveEvent(run, event(`big${n}`, 'x'.repeat(10_000)), undefined);
    expect(jsonBytes(inboxOf(run).kept as unknown as Json)).toBeLessThanOrEqual(64 * 1024);
    expect(inboxOf(run).kept.at(-1)?.event.id).toBe('big20');
  });

  it('of those that were taken is their latest ids', () => {
    const run = aRun();
    for (let n = 1; n <= 1_200; n++) {
      const state = openWait(run, n);
      receiveEvent(run, event(`e${n}`), undefined);
      expect(state.taken?.id).toBe(`e${n}`);
    }
    expect(inboxOf(run).taken).toHaveLength(1_000);
    const late = openWait(run, 2_000);
    receiveEvent(run, event('e1200'), undefined);
    expect(late.taken).toBeNull();
  });
});

describe('a wait that has still to ask what is there', () => {
  it('is given nothing before, and nor are later ones that mean the same', () => {
    const run = aRun();
    const [first, second] = [openWait(run, 1, { known: -1 }), openWait(run, 2)];
    receiveEvent(run, event('late'), undefined);
    expect([first.taken, second.taken]).toEqual([null, null]);
    first.known = null;
    addEvents(run, [{ event: event('early'), at: 5 }]);
    expect([first.taken?.id, second.taken?.id]).toEqual(['early', 'late']);
  });

  it('is given what came up to the moment that it knows of', () => {
    const run = aRun();
    const first = openWait(run, 1, { known: 5 });
    addEvents(run, [{ event: event('known'), at: 5 }]);
    expect(first.taken?.id).toBe('known');
  });

  it('may want much, within limits: past them the latest give way, and it asks again', () => {
    const run = aRun();
    const first = openWait(run, 1, { known: -1 });
    for (let n = 1; n <= 1_200; n++) receiveEvent(run, event(`e${n}`), undefined);
    expect(inboxOf(run).kept).toHaveLength(1_000);
    expect([first.stale, inboxOf(run).kept[0]?.event.id]).toEqual([true, 'e1']);
    for (let n = 1; n <= 300; n++) receiveEvent(run, event(`big${n}`, 'x'.repeat(3_000)), undefined);
    expect(jsonBytes(inboxOf(run).kept as unknown as Json)).toBeLessThanOrEqual(512 * 1024);
    Object.assign(first, { known: null, stale: false });
    addEvents(run, []);
    expect(first.taken?.id).toBe('e1');
    expect(inboxOf(run).kept).toHaveLength(100);
  });

  it('asks again when it hears of an event that it is to look up', () => {
    const run = aRun();
    const [one, other] = [openWait(run, 1), openWait(run, 2, { types: ['void'] })];
    receiveEvent(run, { id: 'large', type: 'paid', source: '/' }, { lookUp: true });
    expect([one.stale, other.stale, one.taken]).toEqual([true, false, null]);
    run.eventWaits.delete('w1');
    giveOut(run);
    expect(inboxOf(run).kept).toEqual([]);
  });
});

it('any waits take any events as the rule says: the earliest wait that means it, each once', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed);
    const pick = (n: number): number => random.below(n);
    const keys = Array.from({ length: 1 + pick(5) }, () => pick(3));
    const events = Array.from({ length: pick(8) }, (_, n) => ({ id: `e${pick(6)}`, key: pick(3), after: n + pick(2) }));
    const branches = keys.map((key, n) => {
      const config = { event: 'paid', correlate: { 'data.key': key }, timeout: '1h' };
      const wait: Node = { id: `w${n}`, type: 'event', config };
      return { id: `b${n}`, nodes: [wait] };
    });
    const definition = { id: 'any', nodes: [{ id: 'fork', type: 'parallel', config: { branches, join: 'settled' } }] };
    const mocks = {
      events: events.map(({ id, key, after }) => ({ id, type: 'paid', after: `${after}s`, data: { key } })),
    };
    const { trace } = await simulate(definition as never, { mocks, rollover: 1 + pick(3) });
    const took = keys.map((_, n) => trace.find(({ nodeId }) => nodeId === `w${n}`)?.eventId ?? null);
    expect(took, `seed ${seed}`).toEqual(expected(keys, events));
  }
});

function expected(keys: readonly number[], events: readonly { id: string; key: number; after: number }[]) {
  const took: (string | null)[] = keys.map(() => null);
  const published = new Set<string>();
  for (const { id, key } of [...events].sort((one, other) => one.after - other.after)) {
    if (published.has(id)) continue;
    published.add(id);
    const taker = keys.findIndex((wanted, n) => wanted === key && took[n] === null);
    if (taker >= 0) took[taker] = id;
  }
  return took;
}
