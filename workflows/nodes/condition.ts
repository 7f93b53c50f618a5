/** `condition`: evaluates an expression to true or false. */
import { type CompiledExpression, compileExpression } from '../../definitions/expressions/index.ts';
import { RunError } from '../../definitions/errors.ts';
import type { ConditionNode } from '../../definitions/types.ts';
import { namesFor } from '../scope.ts';
import { instant } from './node-type.ts';

interface Config {
  readonly expression: CompiledExpression;
  readonly onError: 'fail' | 'true' | 'false';
}

export const condition = instant<ConditionNode, Config>({
  compile: ({ config }) => ({ expression: compileExpression(config.expression), onError: config.onError ?? 'fail' }),

  proceed({ run, scope, config }) {
    try {
      const holds = config.expression.evaluate(namesFor(scope), run.meter);
      if (typeof holds !== 'boolean') {
        throw new RunError(
          'EXPRESSION_ERROR',
          `A condition must be true or false, not ${JSON.stringify(holds).slice(0, 100)}`,
          {
            expression: config.expression.text,
          },
        );
      }
      return { kind: 'condition', holds };
    } catch (error) {
      if (config.onError === 'fail' || !(error instanceof RunError)) throw error;
      return { kind: 'condition', holds: config.onError === 'true' };
    }
  },
});
