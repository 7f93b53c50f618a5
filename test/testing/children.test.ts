/** Runs that runs begin, on the virtual clock. */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../definitions/limits.ts';
import type { Definition, Node } from '../../definitions/types.ts';
import { simulate, type SimulateOptions } from '../../testing/index.ts';

const ann = { id: 'ann' };

const action = (id: string, more: object = {}): Node => ({ id, type: 'action', config: { command: id, ...more } });

const shipping: Definition = {
  id: 'shipping',
  input: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } },
  output: { parcel: '${nodes.pack.output.parcel}', sku: '${input.sku}' },
  nodes: [action('pack', { undo: true, payload: { sku: '${input.sku}' } })],
};

/** An order that has one `workflow` node. */
function order(config: object, more: object = {}, rest: readonly Node[] = []): Definition {
  const ship: Node = { id: 'ship', name: 'Ship it', type: 'workflow', config, ...more };
  return { id: 'order', nodes: [ship, ...rest] };
}

const shipped = order({ definitionId: 'shipping', input: { sku: '${input.sku}' } });
const packs = { commands: { pack: { output: { parcel: 'P1' }, takes: '3s' } } } as const;

function play(definition: Definition, options: SimulateOptions = {}) {
  return simulate(definition, { id: '7', input: { sku: 'A' }, definitions: [shipping], ...options });
}

describe('a run that a run begins', () => {
  it('is walked on the same clock with the same mocks, and its output is that of the node', async () => {
    const run = await play(shipped, { mocks: packs });
    expect(run).toMatchObject({
      state: 'completed',
      output: { parcel: 'P1', sku: 'A' },
      completedAt: '2027-01-01T00:00:03.000Z',
      trace: [{ nodeId: 'ship', type: 'workflow', outcome: 'success', finishedAt: '2027-01-01T00:00:03.000Z' }],
      commands: [],
    });
    expect(run.children).toMatchObject([
      {
        nodeId: 'ship',
        runId: 'shipping/order:7:ship:1',
        definitionId: 'shipping',
        workflowType: null,
        version: null,
        state: 'completed',
        run: {
          runId: 'shipping/order:7:ship:1',
          parent: 'order/7',
          trace: [{ nodeId: 'pack' }],
          commands: [{ commandId: 'shipping/order:7:ship:1/pack/1', state: 'success' }],
        },
      },
    ]);
  });

  it('knows who began it', async () => {
    const child: Definition = { id: 'child', output: '${run.initiator}', nodes: [{ id: 'stop', type: 'end' }] };
    const run = await play(order({ definitionId: 'child' }), { definitions: [child] });
    expect(run.output).toEqual({ id: 'order/7', kind: 'run' });
  });

  it('goes the same way in one history as in many', async () => {
    const often: Definition = {
      id: 'often',
      vars: { n: 0 },
      nodes: [
        {
          id: 'ship',
          type: 'workflow',
          config: { definitionId: 'shipping', input: { sku: '${string(vars.n)}' } },
          nextNodeId: 'count',
        },
        { id: 'count', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'more' },
        { id: 'more', type: 'condition', config: { expression: 'vars.n < 3' }, nextNodeId: 'ship' },
      ],
    };
    const once = await play(often, { mocks: packs });
    expect(once.children?.map(({ runId }) => runId)).toEqual(
      [1, 2, 3].map((visit) => `shipping/often:7:ship:${visit}`),
    );
    expect(await play(often, { mocks: packs, rollover: 1 })).toEqual(once);
  });

  it('that waits for people gets the decisions for its own nodes, also those that come too early', async () => {
    const asking: Definition = { id: 'asking', nodes: [{ id: 'ok', type: 'approval', config: { timeout: '1h' } }] };
    const later: Definition = {
      id: 'order',
      nodes: [
        { id: 'nap', type: 'delay', config: { duration: '10s' }, nextNodeId: 'first' },
        { id: 'first', type: 'workflow', config: { definitionId: 'asking' }, nextNodeId: 'second' },
        { id: 'second', type: 'workflow', config: { definitionId: 'asking' } },
      ],
    };
    const decide = (after: string) => ({ after, nodeId: 'ok', outcome: 'approved', by: ann });
    const run = await play(later, { definitions: [asking], mocks: { decisions: [decide('1s'), decide('20s')] } });
    expect(run).toMatchObject({ state: 'completed', completedAt: '2027-01-01T00:00:20.000Z' });
    const waiting = await play(later, {
      definitions: [asking],
      mocks: { decisions: [] },
      start: '2027-01-01T00:00:00Z',
    });
    expect(waiting.error).toMatchObject({ type: 'CHILD_FAILED', cause: { type: 'WAIT_TIMEOUT', nodeId: 'ok' } });
  });
});

describe('a child that does not complete', () => {
  const broken = { commands: { pack: { error: { type: 'NO_STOCK', message: 'none left', retryable: false } } } };

  it("fails its node with the child's id and error", async () => {
    const run = await play(shipped, { mocks: broken });
    expect(run).toMatchObject({
      state: 'failed',
      error: {
        type: 'CHILD_FAILED',
        nodeId: 'ship',
        details: { runId: 'shipping/order:7:ship:1' },
        cause: { type: 'NO_STOCK', message: 'none left', nodeId: 'pack' },
      },
      children: [{ state: 'failed', run: { state: 'failed' } }],
    });
  });

  it('is caught by its type, and tried again as a whole by a loop', async () => {
    const trying: Definition = {
      id: 'order',
      vars: { tries: 0 },
      nodes: [
        { id: 'count', type: 'assign', config: { vars: { tries: '${vars.tries + 1}' } }, nextNodeId: 'ship' },
        {
          id: 'ship',
          type: 'workflow',
          config: { definitionId: 'shipping', input: { sku: 'A' } },
          catch: [{ errors: ['CHILD_FAILED'], nextNodeId: 'again' }],
        },
        {
          id: 'again',
          type: 'condition',
          config: { expression: 'vars.tries < 3' },
          nextNodeId: 'count',
          fallbackNodeId: 'give_up',
        },
        {
          id: 'give_up',
          type: 'end',
          config: {
            status: 'failed',
            error: { type: 'SHIP_FAILED', message: '${error.cause.message}: ${error.details.runId}' },
          },
        },
      ],
    };
    const run = await play(trying, { mocks: broken });
    expect(run.error).toMatchObject({ type: 'SHIP_FAILED', message: 'none left: shipping/order:7:ship:3' });
    expect(run.children?.map(({ runId, state }) => [runId, state])).toEqual(
      [1, 2, 3].map((visit) => [`shipping/order:7:ship:${visit}`, 'failed']),
    );
  });

  it('refuses an input that does not fit its definition, at the node that gave it', async () => {
    const run = await play(order({ definitionId: 'shipping', input: { sku: 7 } }));
    expect(run.error).toMatchObject({ type: 'INPUT_INVALID', nodeId: 'ship', details: { errors: [{ path: '/sku' }] } });
    expect(run.children).toMatchObject([{ runId: 'shipping/order:7:ship:1', state: null }]);
  });

  it('gives no output over the limit', async () => {
    const big: Definition = {
      id: 'big',
      output: '${nodes.pack.output.big}${nodes.pack.output.big}',
      nodes: [action('pack')],
    };
    const half = 'x'.repeat(LIMITS.valueBytes / 2);
    const mocks = { commands: { pack: { output: { big: half } } } };
    const run = await play(order({ definitionId: 'big' }), { definitions: [big], mocks });
    expect(run.error).toMatchObject({ type: 'PAYLOAD_TOO_LARGE', nodeId: 'ship' });
  });
});

describe('a parent that stops', () => {
  it('cancels its child, and ends when the child has undone what it did', async () => {
    const slow: Definition = {
      ...shipping,
      nodes: [
        { ...action('pack', { undo: true }), nextNodeId: 'nap' },
        { id: 'nap', type: 'delay', config: { duration: '1d' } },
      ],
    };
    const mocks = {
      commands: { pack: [{ output: { parcel: 'P1' } }, { takes: '30s' }] },
      cancels: [{ after: '1h', reason: 'changed my mind' }],
    };
    const run = await play(shipped, { definitions: [slow], mocks });
    expect(run).toMatchObject({
      state: 'cancelled',
      completedAt: '2027-01-01T01:00:30.000Z',
      error: { type: 'CANCELLED', message: 'Cancelled: changed my mind', nodeId: 'ship' },
      children: [{ run: { state: 'cancelled', commands: [{ state: 'rolled_back' }, { state: 'success' }] } }],
    });
  });

  it("takes no child's cancellation by somebody else for its own", async () => {
    const gone: Definition = { id: 'gone', nodes: [{ id: 'stop', type: 'end', config: { status: 'cancelled' } }] };
    const run = await play(order({ definitionId: 'gone' }), { definitions: [gone] });
    expect(run).toMatchObject({ state: 'failed', error: { type: 'CHILD_FAILED', cause: { type: 'CANCELLED' } } });
  });
});

describe('the timeout of the node', () => {
  it('cancels the child, awaits its end and is the error TIMEOUT', async () => {
    const run = await play(order({ definitionId: 'shipping', input: { sku: 'A' }, timeout: '2s' }), {
      mocks: { commands: { pack: [{ output: { parcel: 'P1' }, takes: '1m' }, { takes: '5s' }] } },
    });
    expect(run).toMatchObject({
      state: 'failed',
      completedAt: '2027-01-01T00:01:05.000Z',
      error: { type: 'TIMEOUT', nodeId: 'ship', details: { runId: 'shipping/order:7:ship:1' } },
      children: [{ state: 'cancelled' }],
    });
  });

  it('leaves a child alone that is done in time', async () => {
    const run = await play(order({ definitionId: 'shipping', input: { sku: 'A' }, timeout: '4s' }), { mocks: packs });
    expect(run).toMatchObject({ state: 'completed', completedAt: '2027-01-01T00:00:03.000Z' });
  });
});

describe('a detached child', () => {
  it('outlives the run that began it, which knows its id', async () => {
    const mocks = { commands: { pack: { output: { parcel: 'P1' }, takes: '30s' } } };
    const run = await play(order({ definitionId: 'shipping', input: { sku: 'A' }, wait: false }), { mocks });
    expect(run).toMatchObject({
      state: 'completed',
      output: { runId: 'shipping/order:7:ship:1' },
      completedAt: '2027-01-01T00:00:00.000Z',
      children: [{ run: { state: 'completed', completedAt: '2027-01-01T00:00:30.000Z' } }],
    });
  });

  it('is not cancelled with it', async () => {
    const definition = order({ definitionId: 'shipping', input: { sku: 'A' }, wait: false }, { nextNodeId: 'nap' }, [
      { id: 'nap', type: 'delay', config: { duration: '1d' } },
    ]);
    const mocks = { commands: { pack: { output: { parcel: 'P1' }, takes: '30s' } }, cancels: [{ after: '1s' }] };
    const run = await play(definition, { mocks });
    expect(run).toMatchObject({ state: 'cancelled', children: [{ state: 'completed' }] });
  });
});

describe('a mock of a workflow', () => {
  const handWritten = order({ workflowType: 'shipByHand', taskQueue: 'by-hand', input: { sku: '${input.sku}' } });

  it('answers for what has no definition, told by its input and visit', async () => {
    const workflows = {
      shipByHand: [
        { when: 'payload.sku == "B"', output: 1 },
        { output: { parcel: 'P2' }, takes: '5s' },
      ],
    };
    const run = await play(handWritten, { mocks: { workflows } });
    expect(run).toMatchObject({
      state: 'completed',
      output: { parcel: 'P2' },
      completedAt: '2027-01-01T00:00:05.000Z',
    });
    expect(run.children).toEqual([
      {
        nodeId: 'ship',
        runId: 'shipByHand/order:7:ship:1',
        definitionId: null,
        workflowType: 'shipByHand',
        version: null,
        state: null,
      },
    ]);
  });

  it('fails as the workflow would', async () => {
    const run = await play(handWritten, {
      mocks: { workflows: { shipByHand: { error: { type: 'Lost', message: 'at sea' } } } },
    });
    expect(run.error).toMatchObject({ type: 'CHILD_FAILED', cause: { type: 'Lost', message: 'at sea' } });
  });

  it('is asked for where nothing says what a child does', async () => {
    await expect(play(handWritten)).rejects.toMatchObject({
      code: 'mocks.invalid',
      message: expect.stringContaining('the node ship begins a run of "shipByHand"'),
    });
  });
});

describe('a definition that begins runs of itself', () => {
  it('may, as long as it ends', async () => {
    const countdown: Definition = {
      id: 'countdown',
      nodes: [
        { id: 'more', type: 'condition', config: { expression: 'input.n > 0' }, nextNodeId: 'again' },
        { id: 'again', type: 'workflow', config: { definitionId: 'countdown', input: { n: '${input.n - 1}' } } },
      ],
    };
    expect(await simulate(countdown, { input: { n: 5 } })).toMatchObject({ state: 'completed' });
    const deep = await simulate(countdown, { input: { n: 1000 } });
    let error = deep.error;
    for (let depth = 0; depth < LIMITS.childDepth; depth++) error = error?.cause ?? null;
    expect(error).toMatchObject({ type: 'LIMIT_EXCEEDED', nodeId: 'again', details: { limit: LIMITS.childDepth } });
  });
});
