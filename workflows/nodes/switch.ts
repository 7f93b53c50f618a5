/** `switch`: goes to the node of the first case that holds. */
import { type CompiledExpression, compileExpression } from '../../definitions/expressions/index.ts';
import { RunError } from '../../definitions/errors.ts';
import type { SwitchNode } from '../../definitions/types.ts';
import { namesFor } from '../scope.ts';
import { instant } from './node-type.ts';

interface Config {
  readonly cases: readonly { readonly when: CompiledExpression; readonly nextNodeId: string }[];
  readonly defaultNodeId: string | null;
}

export const switchNode = instant<SwitchNode, Config>({
  compile: ({ config }) => ({
    cases: config.cases.map(({ when, nextNodeId }) => ({ when: compileExpression(when), nextNodeId })),
    defaultNodeId: config.defaultNodeId ?? null,
  }),

  proceed({ run, scope, config }) {
    const names = namesFor(scope);
    for (const [index, entry] of config.cases.entries()) {
      const holds = entry.when.evaluate(names, run.meter);
      if (holds === true) return { kind: 'jump', nextNodeId: entry.nextNodeId, label: `case ${index + 1}` };
      if (holds !== false) {
        throw new RunError('EXPRESSION_ERROR', `Case ${index + 1} must be true or false`, {
          expression: entry.when.text,
        });
      }
    }
    if (config.defaultNodeId !== null) return { kind: 'jump', nextNodeId: config.defaultNodeId, label: 'default' };
    throw new RunError('NO_MATCH', 'No case of the switch holds, and it has no defaultNodeId');
  },
});
