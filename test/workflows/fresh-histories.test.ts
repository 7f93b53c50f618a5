/** What must hold when a run goes on in a fresh history in the middle of something. */
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../definitions/records.ts';
import type { Definition } from '../../definitions/types.ts';
import { type Mocks, prepareMocks } from '../../testing/mocks.ts';
import { MockReplies } from '../../testing/mock-replies.ts';
import { simulate } from '../../testing/simulate.ts';
import { SimulatedWorld } from '../../testing/simulated-effects.ts';
import { nextTurn } from '../../testing/turn.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { createRun, type Run, type RunEnd } from '../../workflows/run.ts';
import type { RunStart } from '../../workflows/start.ts';

const startOf = (document: Definition): RunStart => ({
  definition: { id: document.id, version: 1, hash: JSON.stringify(document), document, handlers: {} },
  input: null,
  event: null,
  run: { id: `${document.id}/1`, tenant: 'default', initiator: { id: 'test', kind: 'user' }, entity: null },
});

/** A walk in one history, on a clock of its own. `rollover`: steps after which it goes on in the next. */
function begin(start: RunStart, options: { rollover?: number; commands?: Mocks['commands'] }) {
  const clock = new VirtualClock(start.checkpoint?.startedAt ?? 0);
  const replies = new MockReplies(prepareMocks({ commands: options.commands ?? {} }).commands);
  const world = new SimulatedWorld({ clock, replies, rollover: options.rollover ?? Infinity });
  const run: Run = createRun(start, world.beginHistory());
  const ended: Promise<RunEnd> = run.walk();
  const settle = async (): Promise<void> => {
    do await nextTurn();
    while (clock.advance());
  };
  return { run, world, ended, settle };
}

const waits = (records: readonly RunRecord[]): boolean[] =>
  records.flatMap((line) => (line.kind === 'wait' ? [line.open] : []));

describe('a wait that goes on in a fresh history', () => {
  test.each([
    ['approval', { id: 'w', type: 'approval', config: {} }],
    ['delay', { id: 'w', type: 'delay', config: { duration: '1h' } }],
  ] as const)('is never told to be over before it is: %s', async (_, node) => {
    const { world, ended, settle } = begin(startOf({ id: 'patient', nodes: [node] }), { rollover: 1 });
    await settle();
    expect((await ended).kind).toBe('suspended');
    expect(waits(world.records)).toEqual([true]);
  });
});

describe('a command that no worker knows', () => {
  const definition: Definition = {
    id: 'deployed',
    nodes: [{ id: 'work', type: 'action', config: { command: 'work' } }],
  };
  const late = { work: [{ when: 'attempt < 9', error: { type: 'HANDLER_NOT_FOUND' } }, { output: 'found' }] };

  test('is waited for in fresh histories, as the same command', async () => {
    const whole = await simulate(definition, { mocks: { commands: late } });
    expect(whole).toMatchObject({ state: 'completed', output: 'found', commands: [{ attempts: 9 }] });
    for (const rollover of [1, 2, 3]) {
      expect(await simulate(definition, { mocks: { commands: late }, rollover })).toEqual(whole);
    }
  });

  test('lets its run go on in a fresh history while it waits', async () => {
    const { ended, settle, world } = begin(startOf(definition), { rollover: 1, commands: late });
    await settle();
    const end = await ended;
    expect(end).toMatchObject({ kind: 'suspended', checkpoint: { frame: { nodeId: 'work', visit: { seq: 1 } } } });
    expect(waits(world.records)).toEqual([true]);
  });

  test('ends at its deadline, counted from when it was given', async () => {
    const [work] = definition.nodes;
    const nodes = [{ ...work, config: { command: 'work', deadline: '2m' } }] as Definition['nodes'];
    for (const rollover of [1, Infinity]) {
      const run = await simulate({ ...definition, nodes }, { mocks: { commands: late }, rollover });
      expect(run).toMatchObject({
        state: 'failed',
        error: { type: 'DEADLINE' },
        completedAt: '2027-01-01T00:02:00.000Z',
      });
    }
  });
});

describe('what a run takes along into a fresh history', () => {
  const text = 'x'.repeat(200 * 1024);
  const definition = (approvals: number): Definition => ({
    id: 'heavy',
    vars: { a: '${input}', b: '${input}', c: '${input}' },
    nodes: [
      { id: 'book', type: 'action', config: { command: 'book', undo: { command: 'unbook', payload: {} } } },
      {
        id: 'all',
        type: 'parallel',
        config: {
          branches: Array.from({ length: approvals }, (_, index) => ({
            id: `b${index}`,
            nodes: [{ id: `ok${index}`, type: 'approval', config: { description: '${input}' } }],
          })),
        },
      },
    ].map((node, index, all) => ({ ...node, ...(index + 1 < all.length ? { nextNodeId: 'all' } : {}) })) as never,
  });
  const heavy = (approvals: number): RunStart => ({ ...startOf(definition(approvals)), input: text });

  test('may come close to what Temporal takes', async () => {
    const { ended, settle, world } = begin(heavy(5), { rollover: 10 });
    await settle();
    world.waits.notify();
    await settle();
    const end = await ended;
    expect(end.kind).toBe('suspended');
    expect(JSON.stringify(end).length).toBeGreaterThan(1.5 * 1024 * 1024);
  });

  test('is never more: the run fails, its waits are over and what it did is undone', async () => {
    const start = heavy(7);
    const first = begin(start, { rollover: 12 });
    await first.settle();
    first.world.waits.notify();
    await first.settle();
    const suspended = await first.ended;
    if (suspended.kind !== 'suspended') throw new Error('the undo begins in a fresh history');
    expect(JSON.stringify(suspended).length).toBeLessThan(1024 * 1024);
    expect(waits(first.world.records).filter((open) => open)).toHaveLength(7);
    expect(waits(first.world.records).filter((open) => !open)).toHaveLength(7);
    const second = begin({ ...start, checkpoint: suspended.checkpoint }, {});
    await second.settle();
    expect(await second.ended).toMatchObject({
      kind: 'closed',
      ending: { state: 'failed', error: { type: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('2031616') } },
    });
    const undone = second.world.records.flatMap((line) => (line.kind === 'command' ? [[line.type, line.state]] : []));
    expect(undone).toContainEqual(['unbook', 'success']);
  });
});
