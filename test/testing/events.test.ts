import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../definitions/records.ts';
import type { Definition, EventNode, Node } from '../../definitions/types.ts';
import { type Mocks, simulate } from '../../testing/index.ts';

type WaitConfig = EventNode['config'];
type WaitMore = Partial<Omit<EventNode, 'id' | 'type' | 'config'>>;

const waitFor = (id: string, config: Partial<WaitConfig> = {}, more: WaitMore = {}): Node => ({
  id,
  type: 'event',
  config: { event: 'paid', ...config },
  ...more,
});
const action = (id: string, more: object = {}): Node => ({ id, type: 'action', config: { command: id }, ...more });

const definition = (nodes: readonly Node[], more: Partial<Definition> = {}): Definition => ({
  id: 'order',
  nodes,
  ...more,
});

/** As it goes, and as it goes in a fresh history at every safe point, which must be the same. */
async function play(of: Definition, mocks: Mocks, input: object = { orderId: 'O-7' }) {
  const document = await simulate(of, { mocks, input: input as never });
  expect(await simulate(of, { mocks, input: input as never, rollover: 1 })).toEqual(document);
  return document;
}

const paid = (after: string, orderId: string, amount: number, id?: string) => ({
  after,
  type: 'paid',
  data: { orderId, amount },
  ...(id === undefined ? {} : { id }),
});
const mine = { 'data.orderId': '${input.orderId}' };

describe('a wait for an event', () => {
  it('takes the first of its order that came since the run began, however early (H02)', async () => {
    const document = await play(
      definition(
        [
          action('slow', { nextNodeId: 'wait' }),
          waitFor('wait', { correlate: mine, timeout: '60s' }, { nextNodeId: 'ship' }),
          {
            id: 'ship',
            type: 'action',
            config: { command: 'ship', payload: { amount: '${nodes.wait.output.data.amount}' } },
          },
        ],
        { output: '${nodes.wait.output.id}' },
      ),
      {
        commands: { slow: { takes: '2s' } },
        events: [paid('100ms', 'O-7', 10), paid('200ms', 'O-8', 99), paid('300ms', 'O-7', 11)],
      },
    );
    expect(document).toMatchObject({ state: 'completed', output: 'event-1', completedAt: '2027-01-01T00:00:02.000Z' });
    expect(document.commands[1]?.command.payload).toEqual({ amount: 10 });
    expect(document.trace[1]).toMatchObject({ nodeId: 'wait', outcome: 'paid', eventId: 'event-1' });
  });

  it('leaves what it does not take to a later wait of the run, in order of arrival', async () => {
    const document = await play(
      definition([
        waitFor('first', { correlate: mine }, { nextNodeId: 'second' }),
        waitFor('second', { correlate: mine }, { nextNodeId: 'third' }),
        waitFor('third', { correlate: mine, timeout: '1h' }, { fallbackNodeId: 'told' }),
        { id: 'told', type: 'end', config: { output: ['${nodes.first.output.id}', '${nodes.second.output.id}'] } },
      ]),
      { events: [paid('1s', 'O-7', 1, 'a'), paid('1s', 'O-7', 2, 'b'), paid('2s', 'O-7', 1, 'a')] },
    );
    expect(document.output).toEqual(['a', 'b']);
  });

  it('gives its timeout a path, and without one is an error', async () => {
    const nodes = [waitFor('wait', { timeout: '5m' }, { transitions: { timeout: 'chase' } }), action('chase')];
    expect((await play(definition(nodes), {})).trace.map(({ outcome }) => outcome)).toEqual(['timeout', 'success']);
    const failed = await play(definition([waitFor('wait', { timeout: '5m', correlate: mine })]), {});
    expect(failed).toMatchObject({ state: 'failed', completedAt: '2027-01-01T00:05:00.000Z' });
    expect(failed.error).toEqual({
      type: 'WAIT_TIMEOUT',
      message: 'No event came in time: the event paid with data.orderId "O-7"',
      nodeId: 'wait',
    });
  });

  it('counts what is there when it handles its deadline', async () => {
    const nodes = [waitFor('wait', { timeout: '5m' })];
    expect(await play(definition(nodes), { events: [paid('5m', 'O-7', 1)] })).toMatchObject({ state: 'completed' });
  });

  it('names its outcome after the type that came, which has a path of its own', async () => {
    const wait = waitFor('wait', { event: ['paid', 'void'] }, { nextNodeId: 'ship', transitions: { void: 'stop' } });
    const nodes = [wait, action('ship'), action('stop')];
    const ended = async (type: string) =>
      (await play(definition(nodes), { events: [{ type }] })).commands.map(({ nodeId }) => nodeId);
    expect(await ended('paid')).toEqual(['ship']);
    expect(await ended('void')).toEqual(['stop']);
  });

  it('compares without casts', async () => {
    const nodes = [waitFor('wait', { correlate: { 'data.n': '${input.n}' }, timeout: '1m' })];
    const ended = async (n: unknown) =>
      (await play(definition(nodes), { events: [{ type: 'paid', data: { n: n as never } }] }, { n: 5 })).state;
    expect([await ended(5), await ended('5'), await ended(null), await ended([5])]).toEqual([
      'completed',
      'failed',
      'failed',
      'failed',
    ]);
  });

  it('refuses to compare with a list or an object', async () => {
    const nodes = [waitFor('wait', { correlate: { 'data.n': '${input}' } })];
    expect((await play(definition(nodes), {})).error).toMatchObject({
      type: 'EXPRESSION_ERROR',
      message: 'correlate data.n must be a text, a number, true, false or null, not an object',
    });
  });

  it('asks its filter with the arriving event and the names of its scope; an error is no match', async () => {
    const nodes: Node[] = [
      { id: 'set', type: 'assign', config: { vars: { least: 10 } }, nextNodeId: 'wait' },
      waitFor('wait', { filter: 'event.data.amount >= vars.least', timeout: '1h' }),
    ];
    const records: RunRecord[] = [];
    const events = [{ after: '1s', type: 'paid', data: {} }, paid('2s', 'O-7', 9), paid('3s', 'O-7', 10)];
    const document = await simulate(definition(nodes, { vars: { least: 0 } }), {
      mocks: { events },
      onRecord: (record) => records.push(record),
    });
    expect(document.trace[1]).toMatchObject({ outcome: 'paid', eventId: 'event-3' });
    const told = records.findLast((record) => record.kind === 'wait');
    expect(told?.kind === 'wait' && told.waiting.event).toMatchObject({
      took: 'event-3',
      missed: [
        { eventId: 'event-1', message: expect.stringContaining('the filter cannot be evaluated: ') },
        { eventId: 'event-2', message: 'the filter is false' },
      ],
    });
  });

  it('looks back no further than it is told to', async () => {
    const nodes = (lookback: string): Node[] => [
      { id: 'nap', type: 'delay', config: { duration: '1h' }, nextNodeId: 'wait' },
      waitFor('wait', { lookback, timeout: '1h' }),
    ];
    const mocks = { events: [paid('30m', 'O-7', 1)] };
    expect((await play(definition(nodes('31m')), mocks)).state).toBe('completed');
    expect((await play(definition(nodes('29m')), mocks)).state).toBe('failed');
  });

  it('is not ended by the event that began the run', async () => {
    const event = { id: 'e-1', type: 'paid', source: '/shop', data: {} };
    const nodes = [waitFor('wait', { timeout: '1m', lookback: '1d' })];
    const document = await simulate(definition(nodes), { event, mocks: { events: [{ type: 'paid', id: 'e-1' }] } });
    expect(document.state).toBe('failed');
  });

  it('says in words what it waits for', async () => {
    const nodes = [waitFor('wait', { event: ['paid', 'void'], correlate: { ...mine, subject: 'x' }, timeout: '1d' })];
    const document = await play(definition(nodes, { timeout: '1h' }), { cancels: [{ after: '1m' }] });
    expect(document).toMatchObject({ state: 'cancelled', waiting: [] });
    const open = await simulate(definition([waitFor('wait', { event: ['paid', 'void'], correlate: mine })]), {
      input: { orderId: 'O-7' },
    });
    expect(open.waiting).toEqual([
      {
        nodeId: 'wait',
        kind: 'event',
        since: '2027-01-01T00:00:00.000Z',
        until: null,
        for: 'one of the events paid, void with data.orderId "O-7"',
      },
    ]);
  });
});

describe('waits of several branches for one event', () => {
  const branches = (...waits: readonly Node[]): Node => ({
    id: 'fork',
    type: 'parallel',
    config: { branches: waits.map((wait) => ({ id: `b_${wait.id}`, nodes: [wait] })) },
  });
  const tookBy = async (nodes: readonly Node[], mocks: Mocks) =>
    Object.fromEntries((await play(definition(nodes), mocks)).trace.map(({ nodeId, eventId }) => [nodeId, eventId]));

  it('give it to the one that began first', async () => {
    const nodes = [branches(waitFor('one'), waitFor('two'))];
    const took = await tookBy(nodes, { events: [paid('2s', 'O-7', 1, 'a'), paid('1s', 'O-7', 2, 'b')] });
    expect(took).toMatchObject({ one: 'b', two: 'a' });
  });

  it('each take their own of what was there before both', async () => {
    const nodes = [action('slow', { nextNodeId: 'fork' }), branches(waitFor('one'), waitFor('two'))];
    const mocks = { commands: { slow: { takes: '1m' } }, events: [paid('1s', 'x', 1, 'a'), paid('2s', 'x', 1, 'b')] };
    expect(await tookBy(nodes, mocks)).toMatchObject({ one: 'a', two: 'b' });
  });

  it('pass on what the first does not want', async () => {
    const nodes = [branches(waitFor('one', { filter: 'event.data.amount > 5' }), waitFor('two'))];
    const took = await tookBy(nodes, { events: [paid('1s', 'x', 1, 'a'), paid('2s', 'x', 9, 'b')] });
    expect(took).toMatchObject({ one: 'b', two: 'a' });
  });

  it('leave the losers nothing', async () => {
    const fork: Node = {
      id: 'fork',
      type: 'parallel',
      config: {
        join: 'first',
        branches: [
          { id: 'a', nodes: [waitFor('one')] },
          { id: 'b', nodes: [waitFor('two', { event: 'void' })] },
        ],
      },
      nextNodeId: 'later',
    };
    const nodes = [fork, waitFor('later', { event: 'void', timeout: '1h' })];
    const mocks = { events: [paid('1s', 'x', 1, 'a'), { after: '2s', type: 'void', id: 'v' }] };
    expect(await tookBy(nodes, mocks)).toMatchObject({ one: 'a', later: 'v' });
  });
});

describe('an event that a run emits', () => {
  const emit = (id: string, config: object, more: object = {}): Node => ({
    id,
    type: 'emit',
    config: { event: 'ready', ...config },
    ...more,
  });

  it('is shown in the document, has the id of its visit, and wakes a wait of the run', async () => {
    const nodes: Node[] = [
      {
        id: 'fork',
        type: 'parallel',
        config: {
          branches: [
            { id: 'a', nodes: [waitFor('wait', { event: 'ready', correlate: { subject: 'S-1' } })] },
            { id: 'b', nodes: [emit('tell', { subject: 'S-1', data: { n: '${1 + 1}' } })] },
          ],
        },
      },
    ];
    const document = await play(definition(nodes, { output: '${nodes.fork.output}' }), {});
    const id = 'order/simulation/b/tell/1';
    expect(document.emitted).toEqual([
      { nodeId: 'tell', id, type: 'ready', subject: 'S-1', data: { n: 2 }, at: '2027-01-01T00:00:00.000Z' },
    ]);
    expect(document.output).toMatchObject({
      a: {
        id,
        type: 'ready',
        source: 'fermata:order',
        subject: 'S-1',
        time: '2027-01-01T00:00:00.000Z',
        data: { n: 2 },
      },
      b: { id },
    });
  });

  it('is another one with each visit', async () => {
    const nodes: Node[] = [
      emit('tell', { data: '${vars.n}' }, { nextNodeId: 'count' }),
      { id: 'count', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'more' },
      { id: 'more', type: 'condition', config: { expression: 'vars.n < 3' }, nextNodeId: 'tell', maxVisits: 5 },
    ];
    const { emitted } = await play(definition(nodes, { vars: { n: 0 } }), {});
    expect(emitted?.map(({ id, data }) => [id.split('/').at(-1), data])).toEqual([
      ['1', 0],
      ['2', 1],
      ['3', 2],
    ]);
  });

  it('is refused where its data are too large, or its subject is no text', async () => {
    const failed = async (config: object) => (await play(definition([emit('tell', config)]), {})).error?.type;
    expect(await failed({ data: 'x'.repeat(256 * 1024) })).toBe('PAYLOAD_TOO_LARGE');
    expect(await failed({ subject: '${1}' })).toBe('EXPRESSION_ERROR');
  });
});
