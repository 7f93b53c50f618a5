import { expect, test } from 'vitest';
import type { Definition, Node } from '../../definitions/types.ts';
import { simulate } from '../../testing/simulate.ts';

const charging = (payload: string): Definition => ({
  id: 'charging',
  nodes: [
    {
      id: 'charge',
      type: 'action',
      config: { command: 'charge', undo: { command: 'refund', payload: { id: payload } } },
      nextNodeId: 'ship',
    } satisfies Node,
    { id: 'ship', type: 'action', config: { command: 'ship' } },
  ],
});

test('a command whose undo cannot be made is told as not undone when the run fails', async () => {
  const run = await simulate(charging('${nodes.charge.output.id}'), {
    mocks: { commands: { charge: { output: {} } } },
  });
  expect(run).toMatchObject({
    state: 'failed',
    error: {
      type: 'EXPRESSION_ERROR',
      details: { notUndone: [{ nodeId: 'charge', commandId: 'charging/simulation/charge/1' }] },
    },
  });
  expect(run.commands.map(({ command }) => command.type)).toEqual(['charge']);
});

test('a command whose undo is too large to keep is told as not undone too', async () => {
  const large = 'x'.repeat(200_000);
  const keep = (id: string, nextNodeId: string): Node => ({
    id,
    type: 'assign',
    config: { vars: { [id]: large } },
    nextNodeId,
  });
  const definition = charging('${nodes.charge.output + vars.a}');
  const nodes = [keep('a', 'b'), keep('b', 'c'), keep('c', 'd'), keep('d', 'charge'), ...definition.nodes];
  const run = await simulate({ ...definition, nodes }, { mocks: { commands: { charge: { output: large } } } });
  expect(run).toMatchObject({
    state: 'failed',
    error: { type: 'PAYLOAD_TOO_LARGE', details: { notUndone: [{ nodeId: 'charge' }] } },
  });
});

test('details of errors count as state: those that would pass its limit are left out, and the run goes on', async () => {
  const details = { text: 'y'.repeat(240_000) };
  const error = { type: 'REFUSED', message: 'no', retryable: false, details };
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const definition: Definition = {
    id: 'failing',
    nodes: [
      ...ids.map(
        (id, index): Node => ({
          id,
          type: 'action',
          config: { command: 'fail' },
          fallbackNodeId: ids[index + 1] ?? 'tell',
        }),
      ),
      { id: 'tell', type: 'end', config: { output: ids.map((id) => `\${has(nodes.${id}.error.details)}`) } },
    ],
  };
  const run = await simulate(definition, { mocks: { commands: { fail: { error } } } });
  expect(run).toMatchObject({ state: 'completed', output: [true, true, true, true, false, false] });
});
