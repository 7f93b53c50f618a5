/** The definitions that the bench runs; `peers/workflows.ts` holds the same by hand. */
import type { Definition, Node } from '../definitions/types.ts';

/** W1: ten trivial commands in sequence. */
export function sequence(options: { readonly local: boolean }): Definition {
  const nodes = Array.from({ length: 10 }, (_, place): Node => {
    const next = place < 9 ? { nextNodeId: `step${place + 2}` } : {};
    const payload = { order: '${input.order}', step: place + 1 };
    const local = options.local ? { local: true } : {};
    return { id: `step${place + 1}`, type: 'action', config: { command: 'touch', payload, ...local }, ...next };
  });
  return { id: options.local ? 'bench-sequence-local' : 'bench-sequence', nodes };
}

/** W2: twenty trivial commands side by side, and a join. */
export function fanOut(options: { readonly local: boolean }): Definition {
  const branches = Array.from({ length: 20 }, (_, place) => {
    const id = `step${place + 1}`;
    const payload = { order: '${input.order}', step: place + 1 };
    const local = options.local ? { local: true } : {};
    const node: Node = { id, type: 'action', config: { command: 'touch', payload, ...local } };
    return { id: `branch${place + 1}`, nodes: [node] };
  });
  return {
    id: options.local ? 'bench-fan-out-local' : 'bench-fan-out',
    nodes: [{ id: 'all', type: 'parallel', config: { branches } }],
  };
}

/** W3: an approval, then one command. */
export const APPROVAL: Definition = {
  id: 'bench-approval',
  nodes: [
    { id: 'review', type: 'approval', config: { title: 'Release ${input.order}?' }, nextNodeId: 'release' },
    { id: 'release', type: 'action', config: { command: 'touch', payload: { order: '${input.order}', step: 1 } } },
  ],
};

/** A delay of `input.ms`. */
export const DELAY: Definition = {
  id: 'bench-delay',
  nodes: [{ id: 'wait', type: 'delay', config: { delayMs: '${input.ms}' } }],
};

/** `input.turns` times the same command: a long history of a small definition. */
export const LOOP: Definition = {
  id: 'bench-loop',
  vars: { turn: 1 },
  nodes: [
    {
      id: 'step',
      type: 'action',
      config: { command: 'touch', payload: { order: '${input.order}', step: '${vars.turn}' } },
      nextNodeId: 'count',
    },
    { id: 'count', type: 'assign', config: { vars: { turn: '${vars.turn + 1}' } }, nextNodeId: 'more' },
    { id: 'more', type: 'condition', config: { expression: 'vars.turn <= input.turns' }, nextNodeId: 'step' },
  ],
};
