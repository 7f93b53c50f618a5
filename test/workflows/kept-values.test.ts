/** What the walker does with values that are kept outside the history; a mock gives a reference as a worker would. */
import { describe, expect, test } from 'vitest';
import type { Definition, Node } from '../../definitions/types.ts';
import { simulate } from '../../testing/index.ts';

const kept = { $value: 'a'.repeat(64), bytes: 3_000_002 };
const read: Node = { id: 'read', type: 'action', config: { command: 'read' } };
const commands = { read: { output: { rows: kept, count: 7 } }, write: { output: 'done' } };

function play(rest: readonly Node[], more: Partial<Definition> = {}) {
  const [first] = rest;
  const nodes = [{ ...read, ...(first === undefined ? {} : { nextNodeId: first.id }) } as Node, ...rest];
  return simulate({ id: 'large', nodes, ...more }, { id: '1', mocks: { commands } });
}

describe('a value that is kept outside the history', () => {
  test('is handed on to variables, payloads and the output of the run', async () => {
    const run = await play(
      [
        { id: 'keep', type: 'assign', config: { vars: { all: ['${nodes.read.output.rows}'] } }, nextNodeId: 'write' },
        { id: 'write', type: 'action', config: { command: 'write', payload: { all: '${vars.all}' } } },
      ],
      { vars: { all: [] }, output: '${nodes.read.output}' },
    );
    expect(run).toMatchObject({ state: 'completed', output: { rows: kept, count: 7 }, vars: { all: [kept] } });
    expect(run.commands.at(-1)?.command.payload).toEqual({ all: [kept] });
  });

  test('is a fault of the node that looks inside, which the definition may catch', async () => {
    const look: Node = {
      id: 'look',
      type: 'condition',
      config: { expression: 'nodes.read.output.rows.size() > 0' },
      catch: [{ errors: ['EXPRESSION_ERROR'], nextNodeId: 'write' }],
    };
    const run = await play([look, { id: 'write', type: 'action', config: { command: 'write' } }]);
    expect(run.trace[1]?.error?.message).toContain('kept outside the history (3000002 bytes)');
    expect(run.state).toBe('completed');
  });

  test('gives no items', async () => {
    const each: Node = {
      id: 'each',
      type: 'forEach',
      config: { items: 'nodes.read.output.rows', nodes: [{ id: 'end', type: 'end' }] },
    };
    const { error } = await play([each]);
    expect(error).toMatchObject({ type: 'EXPRESSION_ERROR', nodeId: 'each' });
    expect(error?.message).toContain('a list, not a value kept outside the history (3000002 bytes)');
  });

  test('of a child says that it is the child that keeps it', async () => {
    const inner: Definition = { id: 'inner', nodes: [read] };
    const outer: Definition = {
      id: 'outer',
      nodes: [{ id: 'inner', type: 'workflow', config: { definitionId: 'inner' } }],
    };
    const definitions = [inner];
    const run = await simulate(outer, { id: '1', definitions, mocks: { commands } });
    expect(run.output).toEqual({ rows: { ...kept, of: 'inner/outer:1:inner:1' }, count: 7 });
  });

  test('goes to no hand-written workflow, and comes from none', async () => {
    const send: Node = {
      id: 'send',
      type: 'workflow',
      config: { workflowType: 'byHand', input: '${nodes.read.output}' },
    };
    expect((await play([send])).error).toMatchObject({
      type: 'PAYLOAD_TOO_LARGE',
      nodeId: 'send',
      details: { bytes: 3_000_002 },
    });
    const get: Definition = { id: 'get', nodes: [{ id: 'get', type: 'workflow', config: { workflowType: 'byHand' } }] };
    const run = await simulate(get, { id: '1', mocks: { workflows: { byHand: { output: { rows: kept } } } } });
    expect(run.error).toMatchObject({ type: 'PAYLOAD_TOO_LARGE', nodeId: 'get' });
  });

  test('comes from no decision', async () => {
    const ask: Definition = { id: 'ask', nodes: [{ id: 'ask', type: 'approval', config: { title: 'Well?' } }] };
    const decision = { nodeId: 'ask', outcome: 'approved', by: { id: 'ann' } };
    const decisions = [
      { ...decision, after: '1s', data: { rows: kept } },
      { ...decision, after: '2s', data: { rows: [] } },
    ];
    const run = await simulate(ask, { id: '1', mocks: { decisions } });
    expect(run).toMatchObject({ state: 'completed', output: { data: { rows: [] } } });
  });
});
