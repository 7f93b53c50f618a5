/** What the state of a run pays for a visit is booked when the visit begins, and given back once when it ends. */
import { expect, test } from 'vitest';
import { jsonBytes } from '../../definitions/json/size.ts';
import type { Definition, Node } from '../../definitions/types.ts';
import { MockReplies } from '../../testing/mock-replies.ts';
import { prepareMocks } from '../../testing/mocks.ts';
import { SimulatedWorld } from '../../testing/simulated-effects.ts';
import { SimulatedRuns } from '../../testing/simulated-runs.ts';
import { nextTurn } from '../../testing/turn.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { createRun } from '../../workflows/run.ts';

/** The state of a run that goes over into a fresh history when its first node has ended. */
async function stateAfter(first: Node) {
  const document: Definition = {
    id: 'd',
    nodes: [
      { ...first, nextNodeId: 'rest' },
      { id: 'rest', type: 'end' },
    ],
  };
  const { commands, workflows } = prepareMocks({ workflows: { far: { output: 'there' } } });
  const runs = new SimulatedRuns({ replies: new MockReplies(workflows, 'workflows') });
  const clock = new VirtualClock(0);
  const world = new SimulatedWorld({ clock, replies: new MockReplies(commands), runs, rollover: 2 });
  const definition = { id: 'd', version: 1, hash: JSON.stringify(document), document, handlers: {} };
  const identity = { id: 'd/1', tenant: 'default', initiator: { id: 'test', kind: 'user' }, entity: null } as const;
  const start = { definition, input: 'x'.repeat(1000), event: null, run: identity };
  const ended = createRun(start, world.beginHistory()).walk();
  do await nextTurn();
  while (clock.advance());
  const end = await ended;
  if (end.kind !== 'suspended') throw new Error('the run was to go over into a fresh history');
  return end.checkpoint;
}

test.each<Node>([
  { id: 'first', type: 'action', config: { command: 'work', payload: '${input}' } },
  { id: 'first', type: 'emit', config: { event: 'told', data: '${input}' } },
  { id: 'first', type: 'workflow', config: { workflowType: 'far', input: '${input}' } },
])('what is left of a visit of $type is its output', async (first) => {
  const { bytes, frame } = await stateAfter(first);
  expect(frame).toMatchObject({ nodeId: 'rest', visit: null });
  expect(bytes).toBe(jsonBytes(frame.nodes['first']?.output ?? null));
});
