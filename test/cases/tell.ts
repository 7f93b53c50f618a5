/** How the cases write down what a run did: calls in order, attempts, and what did not happen. */
import type { RunDocument } from '../../definitions/records.ts';
import type { ActionConfig, Node } from '../../definitions/types.ts';

/** An action whose command is its id, with one attempt where nothing else is said. */
export function step(id: string, config: Partial<ActionConfig> = {}, more: object = {}): Node {
  return { id, type: 'action', config: { command: id, retry: { maxAttempts: 1 }, ...config }, ...more };
}

/** Nodes in a row: each goes on to the next. */
export function inTurn(...nodes: readonly Node[]): readonly Node[] {
  return nodes.map((node, index) => {
    const next = nodes[index + 1];
    return next === undefined ? node : { ...node, nextNodeId: next.id };
  });
}

/** `A`, `A×3` for three attempts, `A!` where it gave up, `A-` where it was cancelled, `~A` for its undo. */
export function calls({ commands }: RunDocument): string[] {
  return commands.map(({ nodeId, state, attempts, undoes }) => {
    const tries = attempts > 1 ? `×${attempts}` : '';
    const end = state === 'failed' ? '!' : state === 'cancelled' ? '-' : '';
    return `${undoes === undefined ? '' : '~'}${nodeId}${tries}${end}`;
  });
}

/** Seconds that the run took. */
export function took({ startedAt, completedAt }: RunDocument): number {
  return (Date.parse(completedAt ?? '') - Date.parse(startedAt)) / 1000;
}
